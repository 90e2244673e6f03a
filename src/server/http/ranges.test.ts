import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { parseRange } from './ranges.ts'

const SIZE = 1000
const ask = (header: string) => parseRange(`bytes=${header}`, SIZE)

describe('the Range header', () => {
  it.each([
    ['0-3', 0, 4],
    ['995-', 995, 1000],
    ['-5', 995, 1000],
    ['-5000', 0, 1000],
    ['990-5000', 990, 1000],
    ['999-99999999999999999999999999', 999, 1000],
    ['0-0', 0, 1],
    [',0-3,', 0, 4],
    [' 0-3 ', 0, 4],
  ] as const)('bytes=%s is one part', (header, start, end) => {
    expect(ask(header)).toEqual([{ start, end }])
  })

  it.each(['1000-', '-0', '5000-6000', '2000-,3000-'])('bytes=%s is not satisfiable', (header) => {
    expect(ask(header)).toBe('none')
  })

  it.each(['', '-', 'abc', '5-2', '0x1-5', '1e2-', '+0-3', '0-3;q=1', '0-3,zap', '0 -3', '٣-٤'])(
    'bytes=%s is invalid and ignored',
    (header) => {
      expect(ask(header)).toBe('whole')
    },
  )

  it('supports bytes only', () => {
    expect(parseRange('items=0-3', SIZE)).toBe('whole')
    expect(parseRange(null, SIZE)).toBe('whole')
    expect(parseRange('BYTES=0-3', SIZE)).toEqual([{ start: 0, end: 4 }])
  })

  it('drops ranges beyond the end as long as one is left', () => {
    expect(ask('0-0,2000-3000')).toEqual([{ start: 0, end: 1 }])
  })

  it('keeps the requested order of ranges', () => {
    expect(ask('500-501,0-1')).toEqual([
      { start: 500, end: 502 },
      { start: 0, end: 2 },
    ])
  })

  it('sends the whole file once for overlapping or very many ranges (A4-5)', () => {
    expect(ask('0-10,5-6')).toBe('whole')
    expect(ask(Array.from({ length: 1300 }, (_, i) => `5-${i + 5}`).join(','))).toBe('whole')
    expect(ask(Array.from({ length: 17 }, (_, i) => `${i * 2}-${i * 2}`).join(','))).toBe('whole')
    expect(ask(Array.from({ length: 16 }, (_, i) => `${i * 2}-${i * 2}`).join(','))).toHaveLength(16)
  })

  it('sends an empty file completely', () => {
    expect(parseRange('bytes=0-', 0)).toBe('whole')
  })

  it('never exceeds the file', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-, =bytes') }), fc.nat(50), (text, size) => {
        const spans = parseRange(`bytes=${text}`, size)
        if (!Array.isArray(spans)) return
        for (const { start, end } of spans) expect(0 <= start && start < end && end <= size).toBe(true)
        expect(spans.reduce((sum, { start, end }) => sum + end - start, 0)).toBeLessThanOrEqual(size)
      }),
    )
  })
})
