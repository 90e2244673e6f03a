import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { isIn, parseSizes, parseTimes, printSizes, printTimes } from './search-spans.ts'

const KB = 1024
const MB = 1024 * KB
/** A Sunday, by the clock of this machine. */
const NOW = new Date(2026, 10, 22, 12, 30)

describe('a size range', () => {
  it('is open or closed, inclusive, with bounds in any order', () => {
    expect(spans(['>10mb', '>=10mb', '<1kb', '<=1kb', '1kb..5mb', '5mb..1kb', '1kb..', '..1kb'], parseSizes)).toEqual([
      [10 * MB + 1, null],
      [10 * MB, null],
      [null, KB],
      [null, KB + 1],
      [KB, 5 * MB + 1],
      [KB, 5 * MB + 1],
      [KB, null],
      [null, KB + 1],
    ])
  })

  it('matches sizes that round to a single value', () => {
    expect(spans(['0', '5', '7B', '5mb', '1.5k', '1,50KiB', '0g'], parseSizes)).toEqual([
      [0, 1],
      [5, 6],
      [7, 8],
      [4.5 * MB, 5.5 * MB],
      [1485, 1588],
      [1531, 1542],
      [0, 512 * MB],
    ])
  })

  it('is null for invalid sizes', () => {
    for (const text of ['', '..', 'a', '1x', '-1', '<', '<0', '1..x', 'x..1', '1...2', '1kbb', '1.', '.5'])
      expect(parseSizes(text)).toBeNull()
  })

  it('survives printing and parsing, however large', () => {
    const size = fc
      .tuple(fc.stringMatching(/^[0-9]{1,16}([.,][0-9]{1,6})?$/), fc.constantFrom('', 'b', 'k', 'MB', 'gib', 't'))
      .map((parts) => parts.join(''))
    const text = fc.oneof(
      size,
      fc.tuple(fc.constantFrom('<', '<=', '>', '>='), size).map((parts) => parts.join('')),
      fc.tuple(size, size).map((ends) => ends.join('..')),
    )
    fc.assert(
      fc.property(text, (written) => {
        const span = parseSizes(written)
        if (span !== null) expect(parseSizes(printSizes(span))).toEqual(span)
      }),
    )
  })
})

describe('a time range', () => {
  const day = (month: number, date: number, year = 2026): number => new Date(year, month - 1, date).getTime()
  const ago = (ms: number): number => NOW.getTime() - ms
  const of = (texts: string[]) => spans(texts, (text) => parseTimes(text, NOW))

  it('is a day, month or year, or from one to another, inclusive, in any order', () => {
    expect(
      of(['2026', '2026-03', '2026-02-28', 'today', 'Yesterday', '2026-01..2026-03', '2026-03..2026-01', '2026-02..', '..2026-02']),
    ).toEqual([
      [day(1, 1), day(1, 1, 2027)],
      [day(3, 1), day(4, 1)],
      [day(2, 28), day(3, 1)],
      [day(11, 22), day(11, 23)],
      [day(11, 21), day(11, 22)],
      [day(1, 1), day(4, 1)],
      [day(1, 1), day(4, 1)],
      [day(2, 1), null],
      [null, day(3, 1)],
    ])
  })

  it('is before or after one', () => {
    expect(of(['<2026-03', '<=2026-03', '>2026-03', '>=2026-03', '<today'])).toEqual([
      [null, day(3, 1)],
      [null, day(4, 1)],
      [day(4, 1), null],
      [day(3, 1), null],
      [null, day(11, 22)],
    ])
  })

  it('is younger or older than an age', () => {
    const [hour, minute] = [3_600_000, 60_000]
    expect(of(['<2h', '2H', '>2h', '90min', '3h..1h'])).toEqual([
      [ago(2 * hour), null],
      [ago(2 * hour), null],
      [null, ago(2 * hour)],
      [ago(90 * minute), null],
      [ago(3 * hour), ago(hour)],
    ])
    expect(of(['7d', '1w', '2m', '1y'])).toEqual([
      [new Date(2026, 10, 15, 12, 30).getTime(), null],
      [new Date(2026, 10, 15, 12, 30).getTime(), null],
      [new Date(2026, 8, 22, 12, 30).getTime(), null],
      [new Date(2025, 10, 22, 12, 30).getTime(), null],
    ])
  })

  it('is null for invalid times', () => {
    for (const text of [
      '',
      '..',
      'soon',
      '2026-13',
      '2026-02-29',
      '2026-2',
      '12345',
      '7',
      '7x',
      '<',
      '2026-01-01T25:00Z',
      '2026-01-01T10:00Z',
      '1..x',
    ])
      expect([text, parseTimes(text, NOW)]).toEqual([text, null])
  })

  it('survives printing and parsing at another time', () => {
    const time = fc.oneof(
      fc.constantFrom(
        'today',
        'yesterday',
        '2024-02-29',
        '1000',
        '2999',
        '9999y',
        '9999d',
        '2026-01-01T10:00+02:00',
        '2026-01-01T10:00:30.001Z',
      ),
      fc.tuple(fc.nat(9999), fc.constantFrom('min', 'h', 'd', 'w', 'm', 'y')).map((parts) => parts.join('')),
    )
    const text = fc.oneof(
      time,
      fc.tuple(fc.constantFrom('<', '<=', '>', '>='), time).map((parts) => parts.join('')),
      fc.tuple(time, time).map((ends) => ends.join('..')),
    )
    fc.assert(
      fc.property(text, fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (written, now) => {
        const span = parseTimes(written, now)
        if (span !== null) expect(parseTimes(printTimes(span), NOW)).toEqual(span)
      }),
    )
  })
})

it('includes its start but not its end', () => {
  expect([0, 1, 2, 3].map((value) => isIn({ from: 1, to: 3 }, value))).toEqual([false, true, true, false])
})

function spans(texts: string[], read: typeof parseSizes): (readonly [number | null, number | null] | null)[] {
  return texts.map(read).map((span) => span && [span.from, span.to])
}
