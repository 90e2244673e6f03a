import { cleanText, type FoundFacts } from './found-facts.ts'
import { parseTaken } from './times.ts'

const IPTC = 0x0404
const TITLE = 5
const DATE = 55
const TIME = 60
const CAPTION = 120
const MOST_RECORDS = 512

/** The IPTC records within the resources of Photoshop, which JPEGs have in APP13 (Photoshop File Formats, "Image resource blocks"). */
export function iptcWithin(view: DataView): DataView | null {
  for (let at = 0; at + 12 <= view.byteLength;) {
    if (view.getUint32(at) !== 0x3842494d) return null
    const id = view.getUint16(at + 4)
    const name = 1 + view.getUint8(at + 6)
    const sizeAt = at + 6 + name + (name % 2)
    const size = view.getUint32(sizeAt)
    const start = sizeAt + 4
    if (id === IPTC) return new DataView(view.buffer, view.byteOffset + start, Math.min(size, view.byteLength - start))
    at = start + size + (size % 2)
  }
  return null
}

/** Title, caption and date from IPTC records (IIM 4.2). */
export function readIptc(view: DataView): Partial<FoundFacts> {
  const found = new Map<number, string>()
  for (let at = 0, records = 0; at + 5 <= view.byteLength && records < MOST_RECORDS; records++) {
    if (view.getUint8(at) !== 0x1c) break
    const record = view.getUint8(at + 1)
    const dataset = view.getUint8(at + 2)
    const size = view.getUint16(at + 3)
    // The highest bit means a length of a length, which only pictures need.
    if (size >= 0x8000 || at + 5 + size > view.byteLength) break
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 5, size)
    if (record === 2 && !found.has(dataset)) found.set(dataset, new TextDecoder().decode(bytes))
    at += 5 + size
  }
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(found.get(DATE) ?? '') ?? []
  const [, hour, minute, second, zone = ''] = /^(\d\d)(\d\d)(\d\d)([+-]\d{4})?$/.exec(found.get(TIME) ?? '') ?? []
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}${zone}`
  return {
    taken: year === undefined ? null : parseTaken(`${year}-${month}-${day}${time}`),
    title: cleanText(found.get(TITLE) ?? ''),
    caption: cleanText(found.get(CAPTION) ?? ''),
  }
}
