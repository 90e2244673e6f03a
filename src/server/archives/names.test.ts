import { describe, expect, it } from 'bun:test'
import { safeName, saferNames } from './names.ts'

describe('a name in an archive', () => {
  it('is unchanged if it is safe on every system', () => {
    for (const name of ['a.txt', '.profile', 'é文.txt', '-rf', 'console.log', 'a b', '100%?']) expect(safeName(name)).toBe(name)
  })

  it('has no separators, drives, devices, control characters or trailing characters that Windows drops (GHSA-gxjx-7m74-hcq8)', () => {
    expect(['..\\..\\x', 'C:x', 'CON', 'nul.txt', 'a.', 'b ', 'x\ny', 'r\u202el', '\udcff'].map(safeName)).toEqual([
      '.._.._x',
      'C_x',
      '_CON',
      '_nul.txt',
      'a_',
      'b_',
      'x_y',
      'r_l',
      '\ufffd',
    ])
  })

  it('is unique in its folder; the first entry keeps it', async () => {
    const safer = await saferNames(['a_b', 'a\\b', 'a:b', 'a_b(1)'], async () => undefined)
    expect([...safer]).toEqual([
      [2, 'a_b(2)'],
      [1, 'a_b(3)'],
    ])
  })
})
