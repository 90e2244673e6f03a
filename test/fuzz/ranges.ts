import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { parseRange } from '../../src/server/http/ranges.ts'
import { property } from './property.ts'

const number = fc.oneof(fc.nat(120).map(String), fc.constantFrom('', '99999999999999999999', '00', '-1', '1e1'))
const part = fc.tuple(number, number).map(([first, last]) => `${first}-${last}`)

export const RANGES = [
  property(
    'a range gives no byte from outside of the file, none twice, and one that is well-formed just what it names',
    500,
    fc.tuple(fc.array(part, { maxLength: 18 }), fc.nat(100)),
    ([parts, size]) => {
      const spans = parseRange(`bytes=${parts.join(',')}`, size)
      if (!Array.isArray(spans)) return
      const bytes = spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i))
      expect(bytes.every((at) => at >= 0 && at < size)).toBe(true)
      expect(new Set(bytes).size).toBe(bytes.length)
      const asked = new Set(parts.flatMap((one) => bytesOf(one, size)))
      expect(bytes.toSorted((a, b) => a - b)).toEqual([...asked].toSorted((a, b) => a - b))
    },
  ),
]

/** RFC 9110 §14.1.2, one byte after the other. */
function bytesOf(range: string, size: number): number[] {
  const [first = '', last = ''] = range.split('-')
  const all = Array.from({ length: size }, (_, i) => i)
  if (first === '') return all.filter((at) => at >= size - Number(last))
  return all.filter((at) => at >= Number(first) && (last === '' || at <= Number(last)))
}
