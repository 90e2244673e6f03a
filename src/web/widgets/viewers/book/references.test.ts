import { expect, it } from 'bun:test'
import { resolveHref } from './references.ts'

it('a reference in a book means a place in it, and nothing outside', () => {
  expect(resolveHref('OEBPS/text/1.xhtml', '../images/a%20b.png')).toEqual({ path: 'OEBPS/images/a b.png', fragment: '' })
  expect(resolveHref('OEBPS/1.xhtml', '2.xhtml#note%201')).toEqual({ path: 'OEBPS/2.xhtml', fragment: 'note 1' })
  expect(resolveHref('OEBPS/1.xhtml', '#here')).toEqual({ path: 'OEBPS/1.xhtml', fragment: 'here' })
  expect(resolveHref('1.xhtml', '/top.png?x')).toEqual({ path: 'top.png', fragment: '' })
  for (const outside of [
    '../../etc/passwd',
    'https://evil.example/',
    '//evil.example/',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
  ])
    expect(resolveHref('OEBPS/1.xhtml', outside)).toBeNull()
})
