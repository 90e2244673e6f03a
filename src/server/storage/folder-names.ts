import { closeSync, constants, type Dirent, openSync, readdirSync } from 'node:fs'
import { constants as os } from 'node:os'
import { grown } from '../../shared/column.ts'
import { bytesToName, nameToBytes } from '../../shared/file-path.ts'
import { createPacker, type PackedNames, unpackNames } from '../../shared/packed-names.ts'
import { type Libc, libc } from './libc.ts'
import { couldBePrivate, isPrivateName } from './private-name.ts'
import { descriptorPath } from './proc-paths.ts'

/** The names in an open folder, without the private one. */
export function readNames(fd: number): string[] {
  const names: string[] = []
  eachName(fd, libc(), (bytes, from, to) => void names.push(bytesToName(bytes.subarray(from, to))))
  return names
}

/**
 * Like `readNames`, without a string per name, and with the types that the folder stores (type bits of st_mode, 0 if unknown).
 * @param system null for the slower way
 */
export function readNamesAndTypes(fd: number, system: Libc | null = libc()): { names: PackedNames; types: Uint32Array } {
  const packer = createPacker(0)
  let types = new Uint32Array(0)
  let count = 0
  eachName(fd, system, (bytes, from, to, type) => {
    packer.add(bytes, from, to)
    types = grown(types, count + 1)
    types[count++] = type
  })
  return { names: unpackNames(packer.end()), types: types.subarray(0, count) }
}

/** Called for one name with its bytes, which are only valid during the call, and its type. */
type Visit = (bytes: Uint8Array, from: number, to: number, type: number) => void

/** Makes no object per name: those of 300,000 names took 90 MB. */
function eachName(fd: number, system: Libc | null, visit: Visit): void {
  const folder = openSync(descriptorPath(fd), constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const first = system?.readEntries(folder, buffer) ?? -1
    if (system === null || first < 0) eachNameSlowly(folder, visit)
    else eachEntry(system, { folder, first, visit })
  } finally {
    closeSync(folder)
  }
}

const buffer = new Uint8Array(64 * 1024)
/** Offsets of length, type and name in a `linux_dirent64`; the name ends with NUL (getdents64(2)). */
const LENGTH_AT = 16
const TYPE_AT = 18
const NAME_AT = 19

/** @param options.first number of bytes that are in the buffer already */
function eachEntry(system: Libc, { folder, first, visit }: { folder: number; first: number; visit: Visit }): void {
  for (let length = first; length !== 0; length = system.readEntries(folder, buffer)) {
    eachInBuffer(length, (bytes, from, to, type) => void (isOurs(bytes, from, to) || visit(bytes, from, to, type)))
  }
}

/** @param length the result of `readEntries` */
function eachInBuffer(length: number, visit: Visit): void {
  // The names so far must not be taken for all names. A folder that is removed meanwhile is no fault of the disk.
  if (length < 0) throw Object.assign(new Error('getdents64 failed'), { code: length === -os.errno.ENOENT ? 'ENOENT' : 'EIO' })
  for (let at = 0; at < length; at += (buffer[at + LENGTH_AT] ?? 0) + (buffer[at + LENGTH_AT + 1] ?? 0) * 256) {
    const from = at + NAME_AT
    const to = buffer.indexOf(0, from)
    if (!isDots(from, to)) visit(buffer, from, to, MODES[buffer[at + TYPE_AT] ?? 0] ?? 0)
  }
}

/** All names in an open folder, including the private one, in pieces: the folder may change in between. */
export function* namesInPieces(fd: number, system: Libc | null = libc()): Generator<string[]> {
  const folder = openSync(descriptorPath(fd), constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const first = system?.readEntries(folder, buffer) ?? -1
    if (system === null || first < 0) return yield readdirSync(descriptorPath(folder), { encoding: 'buffer' }).map(bytesToName)
    for (let length = first; length !== 0; length = system.readEntries(folder, buffer)) {
      const names: string[] = []
      eachInBuffer(length, (bytes, from, to) => void names.push(bytesToName(bytes.subarray(from, to))))
      yield names
    }
  } finally {
    closeSync(folder)
  }
}

/** The useful types of `linux_dirent64`. */
const MODES: Record<number, number> = { 4: constants.S_IFDIR, 8: constants.S_IFREG, 10: constants.S_IFLNK }
const DOT = 46

function isDots(from: number, to: number): boolean {
  return buffer[from] === DOT && (to - from === 1 || (to - from === 2 && buffer[from + 1] === DOT))
}

function isOurs(bytes: Uint8Array, from: number, to: number): boolean {
  return couldBePrivate(bytes, from, to) && isPrivateName(bytesToName(bytes.subarray(from, to)))
}

/** For systems without getdents64. */
function eachNameSlowly(folder: number, visit: Visit): void {
  const entries = readdirSync(descriptorPath(folder), { withFileTypes: true })
  const tell = (name: Uint8Array, type: number): void => void (isOurs(name, 0, name.length) || visit(name, 0, name.length, type))
  // Bytes that are not UTF-8 were replaced: read the names again as bytes, for which the runtime returns no types.
  if (entries.some(({ name }) => name.includes('\ufffd')))
    for (const name of readdirSync(descriptorPath(folder), { encoding: 'buffer' })) tell(name, 0)
  else for (const entry of entries) tell(nameToBytes(entry.name), typeOf(entry))
}

function typeOf(entry: Dirent): number {
  return entry.isFile() ? constants.S_IFREG : entry.isDirectory() ? constants.S_IFDIR : entry.isSymbolicLink() ? constants.S_IFLNK : 0
}
