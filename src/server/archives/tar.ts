import type { Frame } from './frame.ts'
import type { Member } from './walk.ts'

/* POSIX tar (IEEE 1003.1, pax): ustar headers, extended ones only where a name or number does not fit. */
const BLOCK = 512
const MOST_SIZE = 8 ** 11 - 1
const MOST_NAME = 100
const NOTHING = new Uint8Array(0)

export const tar: Frame = {
  mediaType: 'application/x-tar',
  headLength(member) {
    const pax = paxRecords(member).length
    return (pax === 0 ? 0 : BLOCK + padded(pax)) + BLOCK
  },
  head(member) {
    const out = Buffer.alloc(tar.headLength(member))
    const pax = paxRecords(member)
    if (pax.length > 0) {
      header({ name: 'PaxHeader', size: pax.length, modified: 0, mode: 0o644, type: 'x' }).copy(out)
      pax.copy(out, BLOCK)
    }
    const own = header({ ...member, name: shortName(member.name), type: member.kind === 'folder' ? '5' : '0' })
    own.copy(out, out.length - BLOCK)
    return out
  },
  tailLength: ({ size }) => padded(size) - size,
  tail: (member) => new Uint8Array(tar.tailLength(member)),
  directoryLength: () => 0,
  directory: () => NOTHING,
  endLength: () => 2 * BLOCK,
  end: () => new Uint8Array(2 * BLOCK),
}

/** What the plain header cannot hold, as `length key=value` lines; empty for most members. */
function paxRecords({ name, size, modified }: Member): Buffer {
  const seconds = Math.floor(modified / 1000)
  const fields = [
    ...(isPlain(name) ? [] : [['path', name]]),
    ...(size > MOST_SIZE ? [['size', String(size)]] : []),
    ...(seconds < 0 || seconds > MOST_SIZE ? [['mtime', String(seconds)]] : []),
  ]
  return Buffer.from(fields.map(([key = '', value = '']) => paxRecord(`${key}=${value}\n`)).join(''))
}

/** The length includes itself. */
function paxRecord(field: string): string {
  const rest = Buffer.byteLength(field) + 1
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length = rest + String(length).length
  return `${length} ${field}`
}

function isPlain(name: string): boolean {
  return name.length <= MOST_NAME && /^[ -~]*$/.test(name)
}

/** For readers without pax support. */
function shortName(name: string): string {
  return isPlain(name)
    ? name
    : name
        .replace(/[^ -~]/g, '_')
        .slice(-MOST_NAME)
        .replace(/^\//, '_')
}

interface Fields {
  readonly name: string
  readonly size: number
  readonly modified: number
  readonly mode: number
  readonly type: string
}

function header({ name, size, modified, mode, type }: Fields): Buffer {
  const out = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) => out.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  out.write(name, 0, MOST_NAME, 'latin1')
  octal(mode, 100, 7)
  // No owner: the extracted file belongs to the user who unpacks it.
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size > MOST_SIZE ? 0 : size, 124, 11)
  octal(Math.min(Math.max(Math.floor(modified / 1000), 0), MOST_SIZE), 136, 11)
  out.write('        ', 148, 'latin1')
  out.write(type, 156, 'latin1')
  out.write('ustar\x0000', 257, 'latin1')
  const sum = out.reduce((total, byte) => total + byte, 0)
  out.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return out
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}
