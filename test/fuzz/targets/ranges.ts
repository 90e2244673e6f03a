import { parseRange } from '../../../src/server/http/ranges.ts'
import { must, split, type Target, textOf } from '../target.ts'

/** The first byte is the size of a file, the rest a Range header. */
export const target: Target = {
  seeds: [
    '\u000abytes=0-4',
    '\u000abytes=-3',
    'xbytes=1-1, 3-,\t-2',
    '\u0000bytes=0-',
    'ABYTES=00-99999999999999999999',
    '\u000abytes=5-2,a',
  ],
  words: ['bytes=', '0-', '-1', ',', '9007199254740993', '\u00a0'],
  holds(bytes) {
    const { picks, rest } = split(bytes, 1)
    const size = picks[0] ?? 0
    const header = textOf(rest)
    const spans = parseRange(header, size)
    if (!Array.isArray(spans)) return
    must(spans.length > 0 && spans.length <= 16, 'there are no parts, or too many')
    let sum = 0
    for (const { start, end } of spans) {
      must(Number.isInteger(start) && Number.isInteger(end), 'a part is no number of bytes')
      must(start >= 0 && start < end && end <= size, 'a part lies outside of the file')
      sum += end - start
    }
    must(sum <= size, 'parts are more than the file')
    must(/^bytes=[\d\s,-]+$/i.test(header), 'something else than numbers is a range')
  },
}
