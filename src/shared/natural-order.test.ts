import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { compareNames, naturalKey } from './natural-order.ts'

const sorted = (...names: string[]) => names.toSorted(compareNames)

describe('natural order', () => {
  it('compares digits as numbers', () => {
    expect(sorted('a10', 'a9', 'a1', 'a100', 'a2b')).toEqual(['a1', 'a2b', 'a9', 'a10', 'a100'])
  })

  it('compares numbers longer than any integer', () => {
    expect(sorted('1000000000000000000000000000001', '999999999999999999999999999999')).toEqual([
      '999999999999999999999999999999',
      '1000000000000000000000000000001',
    ])
  })

  it('compares leading zeros last', () => {
    expect(sorted('a01c', 'a1b', 'a001d', 'a1', 'a01')).toEqual(['a01', 'a1', 'a1b', 'a01c', 'a001d'])
    expect(sorted('a10', 'a0', 'a00', 'a000')).toEqual(['a0', 'a00', 'a000', 'a10'])
  })

  it('puts a name before its numbered copies', () => {
    expect(sorted('a(2).txt', 'a.txt', 'a(10).txt', 'a b.txt', 'a(1).txt')).toEqual([
      'a.txt', 'a b.txt', 'a(1).txt', 'a(2).txt', 'a(10).txt',
    ]) // prettier-ignore
  })

  it('ignores case and Latin accents until nothing else differs', () => {
    expect(sorted('b', 'A', 'a', 'B', 'Äpfel', 'Apfel', 'Azteke', 'apfel2')).toEqual([
      'A', 'a', 'Apfel', 'Äpfel', 'apfel2', 'Azteke', 'B', 'b',
    ]) // prettier-ignore
  })

  it('treats both spellings of an accent and of Greek and German letters alike', () => {
    expect(naturalKey('e\u0301')).toBe(naturalKey('\u00e9'))
    expect(naturalKey('ΟΔΟΣ')).toBe(naturalKey('οδος'))
    expect(naturalKey('STRASSE')).toBe(naturalKey('straße'))
  })

  it('distinguishes separate letters', () => {
    expect(naturalKey('й')).not.toBe(naturalKey('и'))
  })

  it('is a total order', () => {
    const name = fc.string({ unit: fc.constantFrom(...'a', 'B', 'é', '0', '1', '9', '.', '_', 'ß', '\udcff', '文') })
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(compareNames(a, b) + compareNames(b, a)).toBe(0)
        if (compareNames(a, b) === 0) expect(a).toBe(b)
        if (compareNames(a, b) <= 0 && compareNames(b, c) <= 0) expect(compareNames(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })
})
