import { expect, it } from 'bun:test'
import { numbered } from './numbering.ts'

it('puts the number before the last extension, and at the end of folders', () => {
  const file = { isFolder: false }
  expect(numbered('b.txt', 1, file)).toBe('b(1).txt')
  expect(numbered('x.tar.gz', 2, file)).toBe('x.tar(2).gz')
  expect(numbered('.bashrc', 1, file)).toBe('(1).bashrc')
  expect(numbered('README', 1, file)).toBe('README(1)')
  expect(numbered('docs.old', 1, { isFolder: true })).toBe('docs.old(1)')
})
