import { makeZip, type Packed } from '../../src/web/widgets/viewers/test-zip.ts'

export interface BookOptions {
  readonly title?: string
  readonly language?: string
  readonly rtl?: boolean
  /** Lines of the table of contents. */
  readonly contents?: string
  /** Instead of the package as it should be. */
  readonly pack?: string
  /** Whatever else lies in the zip. */
  readonly extra?: readonly Packed[]
}

/** An EPUB of these bodies, a chapter each, in `text/1.xhtml`, `text/2.xhtml`… */
export function makeBook(
  bodies: readonly string[],
  { title = 'A book', language = 'en', rtl = false, contents = '', pack, extra = [] }: BookOptions = {},
): Buffer {
  const names = bodies.map((_, at) => `text/${at + 1}.xhtml`)
  const items = names.map((name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`).join('')
  const spine = names.map((_, at) => `<itemref idref="c${at}"/>`).join('')
  const metadata = `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>Ann Author</dc:creator><dc:language>${language}</dc:language></metadata>`
  const usual = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">${metadata}<manifest>${items}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest><spine${rtl ? ' page-progression-direction="rtl"' : ''}>${spine}</spine></package>`
  return makeZip([
    { name: 'mimetype', text: 'application/epub+zip', method: 0 },
    {
      name: 'META-INF/container.xml',
      text: '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    },
    { name: 'OPS/book.opf', text: pack ?? usual },
    { name: 'OPS/nav.xhtml', text: page(`<nav epub:type="toc"><ol>${contents}</ol></nav>`) },
    ...names.map((name, at) => ({ name: `OPS/${name}`, text: page(bodies[at] ?? '') })),
    ...extra,
  ])
}

function page(body: string): string {
  return body.startsWith('<?xml')
    ? body
    : `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>${body}</body></html>`
}
