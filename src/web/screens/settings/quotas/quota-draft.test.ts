import { describe, expect, it } from 'bun:test'
import { amountOf, countOf, draftOf } from './quota-draft.ts'

describe('the form of a quota', () => {
  it('has gigabytes, also in parts, with a point or a comma', () => {
    expect(amountOf(' 2 ')).toBe(2 * 1024 ** 3)
    expect([amountOf('0.5'), amountOf('0,5')]).toEqual([512 * 1024 ** 2, 512 * 1024 ** 2])
    expect([amountOf(''), amountOf('0')]).toEqual([null, 0])
    for (const text of ['x', '-1', '1e3', '1.2.3', '9999999999']) expect(amountOf(text)).toBe(undefined)
  })

  it('has whole numbers of files', () => {
    expect([countOf(''), countOf(' 12 '), countOf('1.5'), countOf('-1'), countOf('x')]).toEqual([null, 12, undefined, undefined, undefined])
  })

  it('use-23: comes back as it was written', () => {
    for (const written of ['0.002', '1.5', '0.1', '20', '12.34', '0'])
      expect(draftOf({ bytes: { limit: amountOf(written) ?? -1, used: 0 }, files: null }).gigabytes).toBe(written)
  })

  it('gives back the bytes that it shows', () => {
    for (const limit of [0, 1, 12_345, 5 * 1024 ** 3, 123_456_789_012])
      expect(amountOf(draftOf({ bytes: { limit, used: 0 }, files: null }).gigabytes)).toBe(limit)
  })
})
