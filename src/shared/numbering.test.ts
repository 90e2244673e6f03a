import { expect, it } from 'bun:test'
import { numbered } from './numbering.ts'

it('puts the number before the last extension', () => {
  expect(numbered('b.txt', 1)).toBe('b(1).txt')
  expect(numbered('x.tar.gz', 2)).toBe('x.tar(2).gz')
  expect(numbered('.bashrc', 1)).toBe('(1).bashrc')
  expect(numbered('README', 1)).toBe('README(1)')
})
