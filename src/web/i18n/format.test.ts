import { describe, expect, it } from 'bun:test'
import { formatBytes, formatBytesExact, formatDate, formatDay, formatDistance, formatDuration } from './format.ts'

const NOW = new Date(2026, 10, 21, 12, 0, 0)
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('sizes', () => {
  it('are written in the largest unit that fits, 1024 to the next', () => {
    const sizes = [0, 1, 512, 1024, 90_112, 4_404_019, 60_817_408, 956_301_312, 1.2 * 1024 ** 3, 3 * 1024 ** 4]
    expect(sizes.map(formatBytes)).toEqual([
      '0 bytes',
      '1 byte',
      '512 bytes',
      '1 kB',
      '88 kB',
      '4.2 MB',
      '58.0 MB',
      '912 MB',
      '1.2 GB',
      '3.0 TB',
    ])
  })

  it('never show 1,024 of a unit', () => {
    expect(formatBytes(1024 * 1024 - 1)).toBe('1.0 MB')
    expect(formatBytes(1024 ** 3 - 1)).toBe('1.0 GB')
  })

  it('can be exact to the byte', () => {
    expect(formatBytesExact(4_404_019)).toBe('4,404,019 bytes')
  })
})

describe('times', () => {
  it('are relative within six days', () => {
    expect(formatDate(ago(5_000), NOW)).toBe('now')
    expect(formatDate(ago(5 * MINUTE), NOW)).toBe('5 minutes ago')
    expect(formatDate(ago(2 * HOUR), NOW)).toBe('2 hours ago')
    expect(formatDate(ago(3 * DAY), NOW)).toBe('3 days ago')
  })

  it('are yesterday by the calendar, not by 24 hours', () => {
    expect(formatDate(ago(13 * HOUR), NOW)).toBe('yesterday')
    expect(formatDate(ago(35 * HOUR), NOW)).toBe('yesterday')
  })

  it('are dates when older, and when from the future', () => {
    expect(formatDate(new Date(2026, 6, 14), NOW)).toContain('2026')
    expect(formatDate(new Date(2027, 0, 1), NOW)).toContain('2027')
  })

  it('of a list are grouped by day: today, yesterday, the date', () => {
    expect([0, 13, 30].map((hours) => formatDay(ago(hours * HOUR), NOW))).toEqual(['Today', 'Yesterday', 'Yesterday'])
    expect(formatDay(new Date(2026, 6, 14), NOW)).toContain('2026')
  })

  it('that are invalid are a dash', () => {
    expect(formatDate(new Date(Number.NaN), NOW)).toBe('–')
  })

  it('in the future use the largest unit that fits', () => {
    expect(formatDistance(new Date(NOW.getTime() + 3 * DAY), NOW)).toBe('in 3 days')
    expect(formatDistance(ago(2 * HOUR), NOW)).toBe('2 hours ago')
  })

  it('U11: in the future are rounded: a link of seven days still shows seven days a minute later', () => {
    const ahead = (ms: number) => formatDistance(new Date(NOW.getTime() + ms - MINUTE / 2), NOW)
    expect([HOUR, 5 * HOUR, DAY, 7 * DAY, 30 * DAY, 400 * DAY].map(ahead)).toEqual([
      'in 1 hour',
      'in 5 hours',
      'tomorrow',
      'in 7 days',
      'in 30 days',
      'next year',
    ])
  })

  it('that elapse are shown as clocks', () => {
    expect([0, 42, 61, 3723].map(formatDuration)).toEqual(['0:00', '0:42', '1:01', '1:02:03'])
  })
})
