/** The contents of all elements of this name, in order. An answer of S3 has no attributes on them, and none within another of its name. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = []
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const from = at + open.length
    const end = xml.indexOf(close, from)
    if (end < 0) break
    found.push(xml.slice(from, end))
    at = end
  }
  return found
}

/** The text of the first element of this name; null if there is none. */
export function textIn(xml: string, name: string): string | null {
  const [first] = elements(xml, name)
  return first === undefined ? null : decoded(first)
}

/** A text as the content of an element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"'\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** Whether XML can hold every character of a text (XML 1.0, section 2.2). */
export function fitsXml(text: string): boolean {
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-fA-F]+|#\d+|\w+);/g, (whole, entity: string) => {
    if (!entity.startsWith('#')) return NAMED[entity] ?? whole
    const point = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
