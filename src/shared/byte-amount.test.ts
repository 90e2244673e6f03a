import { expect, it } from 'bun:test'
import { parseBytes, parseCount } from './byte-amount.ts'

it('reads amounts of bytes as people write them', () => {
  const texts = ['10', '500 MB', '1.5G', '1,5 GiB', '2tb', '7 B', ' 1k ']
  expect(texts.map((text) => parseBytes(text, 'G'))).toEqual([
    10 * 1024 ** 3,
    500 * 1024 ** 2,
    1.5 * 1024 ** 3,
    1.5 * 1024 ** 3,
    2 * 1024 ** 4,
    7,
    1024,
  ])
  expect(parseBytes('10', 'B')).toBe(10)
  for (const text of ['', 'GB', '-1', '1 XB', '1e9', '9999999 PB', '1.2.3'])
    expect([text, parseBytes(text, 'B')]).toEqual([text, undefined])
})

it('reads numbers of files', () => {
  expect(['0', ' 100 ', '1.5', '-1', '', 'x'].map(parseCount)).toEqual([0, 100, undefined, undefined, undefined, undefined])
})
