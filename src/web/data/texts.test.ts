import { describe, expect, it } from 'bun:test'
import { isSame } from './texts.ts'

describe('whether a text is still the one that was read', () => {
  it('is told by its time to the second and by its size', () => {
    const read = { modified: '2026-07-14T09:12:03.987654321Z', size: 12 }
    const headers = (date: string, length: string) => new Headers({ 'last-modified': date, 'content-length': length })
    expect(isSame(read, headers('Tue, 14 Jul 2026 09:12:03 GMT', '12'))).toBe(true)
    expect(isSame(read, headers('Tue, 14 Jul 2026 09:12:04 GMT', '12'))).toBe(false)
    expect(isSame(read, headers('Tue, 14 Jul 2026 09:12:03 GMT', '13'))).toBe(false)
  })

  it('is believed of a server that says neither', () => {
    expect(isSame({ modified: '2026-07-14T09:12:03Z', size: 12 }, new Headers())).toBe(true)
  })
})
