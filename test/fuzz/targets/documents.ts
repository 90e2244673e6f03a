import { resolveHref } from '../../../src/web/widgets/viewers/book/references.ts'
import { readFontMetadata } from '../../../src/web/widgets/viewers/font/font-metadata.ts'
import { match } from '../../../src/server/search/content/match.ts'
import { fileType, typeOf } from '../../../src/shared/file-type.ts'
import { decodeForReading, decodeText } from '../../../src/shared/text-content.ts'
import { must, type Target, textOf } from '../target.ts'

const WANTED = { words: ['a', 'ab c'], not: [], sensitive: false }

/** What viewers and the search find in a file: facts of fonts, references of books, lines of texts. */
export const target: Target = {
  seeds: [
    font(),
    'OEBPS/../a%2Fb.xhtml#x?y',
    '../../x',
    '\uFEFFa line\nwith ab c\r\nand more',
    Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x0a, 0),
    'a\fb\fab c',
    'x.ts G',
    '\u0047.ts',
    '%PDF-1.7',
    'name.mp4',
  ],
  words: ['OTTO', 'wOFF', 'wOF2', 'true', '%2e%2e/', 'javascript:', '//', '\0'],
  async holds(bytes) {
    const facts = await readFontMetadata(Uint8Array.from(bytes))
    if (facts !== null) {
      must(facts.axes.length <= 32 && Object.values(facts.names).every((name) => name.length <= 1000), 'a font says too much')
      must(
        facts.axes.every(({ min, max }) => Number.isFinite(min) && Number.isFinite(max)),
        'an axis has no end',
      )
    }
    const text = textOf(bytes)
    const spot = resolveHref('OEBPS/text/one.xhtml', text)
    must(spot === null || !spot.path.split('/').some((part) => part === '..' || part === '.'), 'a reference climbs out of its book')

    const name = text.slice(0, 12)
    const [type, unseen] = [typeOf({ name, size: bytes.length, head: bytes }), typeOf({ name, size: bytes.length })]
    must(fileType(name) === null || unseen === fileType(name) || unseen === 'blob' || unseen === 'text', 'a name says two things')
    must(['text', 'blob', 'video', 'audio', 'image', 'pdf'].includes(type), 'a file is of a kind that there is none of')

    const { text: read, faithful } = decodeText(bytes)
    must(!faithful || Buffer.from(read).equals(bytes), 'a text that is faithful is not')
    must(typeof decodeForReading(bytes) === 'string', 'a text cannot be read')
    for (const kind of ['files', 'pages'] as const) {
      const [snippets] = match({ names: 'a.txt', bytes, sizes: Int32Array.of(bytes.length), kind, wanted: WANTED })
      for (const { text: line, marks } of snippets ?? [])
        for (const [start, end] of marks) must(start >= 0 && start < end && end <= line.length, 'a mark lies beside its line')
    }
  },
}

/** A name, a count of glyphs and an axis. */
function font(): Uint8Array {
  const out = Buffer.alloc(160)
  out.writeUInt32BE(0x00010000)
  out.writeUInt16BE(3, 4)
  for (const [i, [tag, start, length]] of (
    [
      ['name', 60, 22],
      ['maxp', 84, 6],
      ['fvar', 92, 36],
    ] as const
  ).entries()) {
    out.write(tag, 12 + i * 16, 'latin1')
    out.writeUInt32BE(start, 20 + i * 16)
    out.writeUInt32BE(length, 24 + i * 16)
  }
  for (const [i, value] of [0, 1, 18, 3, 1, 0x409, 1, 4, 0, 0x41, 0x42].entries()) out.writeUInt16BE(value, 60 + i * 2)
  out.writeUInt16BE(7, 88)
  for (const [i, value] of [1, 0, 16, 0, 1, 20].entries()) out.writeUInt16BE(value, 92 + i * 2)
  out.write('wght', 108, 'latin1')
  return out
}
