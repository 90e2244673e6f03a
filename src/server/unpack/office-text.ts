/**
 * The text of office documents and books: of the parts that Word, Excel, PowerPoint, LibreOffice and EPUB store in a zip (ECMA-376, ISO/IEC 26300,
 * EPUB 3.3). A scanner reads only as much markup as needed, in linear time for any input.
 */

/** The parts of a document that contain its text. */
const PARTS =
  /^(?:word\/(?:document|footnotes|endnotes|comments|(?:header|footer)\d*)\.xml|ppt\/(?:slides|notesSlides)\/[^/]+\.xml|xl\/(?:sharedStrings\.xml|worksheets\/[^/]+\.xml)|content\.xml|.*\.x?html?)$/i

export function holdsWords(part: string): boolean {
  return PARTS.test(part)
}

/** Elements that end a line, by their end tag or as empty elements. */
const LINES = new Set('w:p w:br a:p a:br text:p text:h text:line-break si row p br li div tr h1 h2 h3 h4 h5 h6'.split(' '))
/** Elements that separate words within a line. */
const GAPS = new Set(['w:tab', 'text:tab', 'text:s', 'c', 'td', 'th', 'title'])
/** Elements without visible text: field codes, deletions, formulas, styles. */
const SILENT = new Set(['w:instrText', 'w:delText', 'f', 'style', 'script', 'head'])
/** Cells whose text is in another part (`xl/sharedStrings.xml`). */
const SHARED_CELL = /\st="s"/

/** @returns the text, one paragraph, row or cell text per line */
export function textOfMarkup(markup: string): string {
  const pieces: string[] = []
  let silent: string | null = null
  let isShared = false
  for (let at = 0; at < markup.length;) {
    const open = markup.indexOf('<', at)
    const end = open < 0 ? markup.length : open
    if (silent === null && end > at) pieces.push(unescaped(markup.slice(at, end)))
    if (open < 0) break
    if (markup.startsWith('<!--', open)) {
      at = after(markup, '-->', open)
      continue
    }
    if (markup.startsWith('<![CDATA[', open)) {
      at = after(markup, ']]>', open)
      if (silent === null) pieces.push(markup.slice(open + 9, Math.max(open + 9, at - 3)))
      continue
    }
    at = after(markup, '>', open)
    const tag = markup.slice(open + 1, at - 1)
    const [, slash = '', name = ''] = /^(\/?)([\w:.-]{0,40})/.exec(tag) ?? []
    const isEnd = slash === '/'
    const isEmpty = tag.endsWith('/')
    if (name === 'c' && !isEnd) isShared = SHARED_CELL.test(tag)
    if (silent !== null && isEnd && name === silent) silent = null
    else if (silent === null && !isEnd && !isEmpty && (SILENT.has(name) || (name === 'v' && isShared))) silent = name
    if (silent !== null || !(isEnd || isEmpty || name === 'br')) continue
    if (LINES.has(name)) pieces.push('\n')
    else if (GAPS.has(name)) pieces.push(' ')
  }
  return pieces
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** The position behind the next `text`, or the end. */
function after(markup: string, text: string, from: number): number {
  const at = markup.indexOf(text, from)
  return at < 0 ? markup.length + text.length : at + text.length
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}
