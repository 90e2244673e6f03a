/** A part of a file: from `start` up to, not including, `end`. */
export interface Span {
  start: number
  end: number
}

const MOST_SPANS = 16

/**
 * What a Range header requests of `size` bytes (RFC 9110 section 14). Also `whole` if it is not a byte range, or one made to be expensive: more than
 * sixteen parts, or overlapping ones. An empty file is always whole, because some clients request everything by range.
 */
export function parseRange(header: string | null, size: number): 'whole' | 'none' | Span[] {
  const list = header
    ?.match(/^bytes=(.*)$/i)?.[1]
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (list === undefined || list.length === 0 || list.length > MOST_SPANS || size === 0) return 'whole'
  const spans: Span[] = []
  for (const part of list) {
    const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(part) ?? []
    if (first === '' && last === '') return 'whole'
    if (first !== '' && last !== '' && Number(last) < Number(first)) return 'whole'
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
    const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
    if (start < end) spans.push({ start, end })
  }
  if (spans.length === 0) return 'none'
  return overlap(spans) ? 'whole' : spans
}

function overlap(spans: readonly Span[]): boolean {
  const ordered = spans.toSorted((a, b) => a.start - b.start)
  return ordered.some(({ start }, i) => start < (ordered[i - 1]?.end ?? 0))
}
