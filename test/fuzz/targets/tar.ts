import { tar } from '../../../src/server/archives/tar.ts'
import type { Member } from '../../../src/server/archives/walk.ts'
import { detect, isTar } from '../../../src/server/unpack/detect.ts'
import { segmentsFrom } from '../../../src/server/unpack/names.ts'
import { readTar } from '../../../src/server/unpack/read-tar.ts'
import { must, split, type Target, textOf } from '../target.ts'

const BLOCK = 512
const CHECKSUM = 148

/** An even first byte: the rest is a tar, whose checksums are put right. An odd one: it is a name, and is packed and read again. */
export const target: Target = {
  seeds: [
    Buffer.concat([Buffer.of(0, 0), packed('a.txt', Buffer.from('hello')), packed(`${'long/'.repeat(30)}é`, Buffer.from('x'))]),
    Buffer.concat([Buffer.of(0, 0), packed('folder/', Buffer.alloc(0)), link(), Buffer.alloc(2 * BLOCK)]),
    Buffer.of(1, 100, ...Buffer.from('näme.txt')),
    Buffer.of(3, 255, ...Buffer.from(`${'x'.repeat(120)}/y`)),
  ],
  words: ['ustar\0', 'ustar  \0', '././@LongLink', '30 path=', 'size=', 'mtime=', 'linkpath=', 'GNU.sparse.name=', '\x80\0\0\0'],
  most: 4 * BLOCK,
  async holds(bytes) {
    const { picks, rest } = split(bytes, 2)
    const [kind = 0, number = 0] = picks
    if (kind % 2 === 1) return sameAgain(textOf(rest), number)
    const archive = mended(rest)
    detect(archive.subarray(0, BLOCK))
    let sum = 0
    let entries = 0
    try {
      for await (const { head, bytes: content } of readTar(whole(archive))) {
        entries++
        must(typeof head.name === 'string' && (head.size === null || head.size >= 0), 'an entry has no name or a size below nothing')
        must(typeof segmentsFrom(head.name) === 'string' || !segmentsFrom(head.name).includes('..'), 'an entry leads out')
        if (entries % 2 === 1) for await (const piece of content()) sum += piece.length
      }
    } catch (error) {
      // The library says in its own words what is wrong; the program that reads says “damaged”.
      if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) throw error
    }
    must(sum <= archive.length && entries <= archive.length / BLOCK, 'more comes out than is in it')
  },
}

async function sameAgain(text: string, number: number): Promise<void> {
  const name = text.replaceAll('\0', '').toWellFormed().replace(/\/+$/, '')
  if (name === '') return
  const content = Buffer.alloc(number, 7)
  // Before 1970 and after 2242 a time stands in an extended header, which the library that reads does not look into.
  const modified = number * 30_000_000_000
  const found: string[] = []
  for await (const { head, bytes } of readTar(whole(Buffer.concat([packed(name, content, modified), tar.end(NOTHING)])))) {
    let length = 0
    for await (const piece of bytes()) length += piece.length
    found.push(`${length} ${head.modified} ${head.name}`)
  }
  must(found.length === 1 && found[0] === `${number} ${modified} ${name}`, 'a member is another one when it is read again')
}

const NOTHING = { count: 0, start: 0, length: 0 }

function packed(name: string, content: Buffer, modified = 1_700_000_000_000): Buffer {
  const kind = name.endsWith('/') ? 'folder' : 'file'
  const member: Member = { name, kind, size: content.length, modified, mode: 0o644, source: content }
  const head = tar.head(member)
  must(head.length === tar.headLength(member), 'a header is longer than was said')
  must(isTar(head.subarray(0, BLOCK)), 'a header is not known as one')
  return Buffer.concat([head, content, tar.tail(member, 0)])
}

/** The header of one, with another type than our own archives have. */
function link(): Buffer {
  const head = packed('link', Buffer.alloc(0))
  head.write('2', 156, 'latin1')
  return head
}

/** No chance change of a byte finds the sum of all others. */
function mended(bytes: Uint8Array): Uint8Array {
  const out = Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK)
  out.set(bytes)
  for (let at = 0; at < out.length; at += BLOCK) {
    if (out[at] === 0) continue
    out.write('        ', at + CHECKSUM, 'latin1')
    const sum = out.subarray(at, at + BLOCK).reduce((total, byte) => total + byte, 0)
    out.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + CHECKSUM, 'latin1')
  }
  return out
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
