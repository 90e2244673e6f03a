/** What XML 1.0 has no form for, not even as a reference. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

/** A text or the value of an attribute. What cannot be written becomes U+FFFD: the address of a file says what its name is. */
export function escapeXml(text: string): string {
  return text.replace(NO_XML, '\uFFFD').replace(/[&<>"\r]/g, (char) => ESCAPES[char] ?? '')
}

export const DAV = 'DAV:'
export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'

/** The name of a property, or of another element. */
export interface XmlName {
  readonly namespace: string
  readonly name: string
}

/** An element without content. The prefix `D` must be declared. */
export function emptyElement({ namespace, name }: XmlName): string {
  return namespace === DAV ? `<D:${name}/>` : `<${name} xmlns="${escapeXml(namespace)}"/>`
}
