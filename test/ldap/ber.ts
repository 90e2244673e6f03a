/** An element of BER (X.690), as far as LDAP uses it: tags of one byte, definite lengths. */
export interface Element {
  readonly tag: number
  readonly bytes: Buffer
}

/** The elements that stand behind each other in some bytes; an incomplete last one is left over. */
export function elementsIn(bytes: Buffer): { elements: Element[]; rest: Buffer } {
  const elements: Element[] = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const first = bytes[at + 1] ?? 0
    const more = first < 0x80 ? 0 : first & 0x7f
    if (at + 2 + more > bytes.length) break
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    const start = at + 2 + more
    if (start + length > bytes.length) break
    elements.push({ tag: bytes[at] ?? 0, bytes: bytes.subarray(start, start + length) })
    at = start + length
  }
  return { elements, rest: bytes.subarray(at) }
}

export const partsOf = ({ bytes }: Element): Element[] => elementsIn(bytes).elements

export function element(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const { length } = bytes
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x1_00_00
        ? [tag, 0x82, length >> 8, length & 0xff]
        : [tag, 0x84, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}

export const integer = (value: number, tag = 0x02): Buffer =>
  element(tag, Buffer.from(value < 0x80 ? [value] : [0, (value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]))
export const text = (value: string | Buffer, tag = 0x04): Buffer => element(tag, value)
export const sequence = (...parts: Buffer[]): Buffer => element(0x30, ...parts)
