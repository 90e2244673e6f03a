import { describe, expect, it } from 'bun:test'
import { parseDestination } from './destination.ts'

describe('a destination', () => {
  it.each([
    ['/docs/b.txt', '/docs/b.txt'],
    ['/docs/b%20c.txt', '/docs/b c.txt'],
    ['/docs/100%25', '/docs/100%'],
    ['/docs/100%', '/docs/100%'],
    ['/docs/50%zz+x', '/docs/50%zz+x'],
    ['/a+b', '/a+b'],
    ['/docs/', '/docs'],
    ['/a%2Fb', '/a/b'],
    ['/%FF', '/\udcff'],
  ])('%s is %j', (text, path) => {
    expect(String(parseDestination(text))).toBe(path)
  })

  it.each(['/../x', '/a/%2e%2e/b', '/a//b', '/./a', '/a%00b', '/%2e%2e%2fx', '/a/..'])('refuses %s (GHSA-9f3r-2vgw-m8xp)', (text) => {
    expect(() => parseDestination(text)).toThrow('invalid-input')
  })
})
