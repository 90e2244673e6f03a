import { expect, it } from 'bun:test'
import { createNumbering, numbered } from './numbering.ts'

it('puts the number before the last extension', () => {
  expect(numbered('b.txt', 1)).toBe('b(1).txt')
  expect(numbered('x.tar.gz', 2)).toBe('x.tar(2).gz')
  expect(numbered('.bashrc', 1)).toBe('(1).bashrc')
  expect(numbered('README', 1)).toBe('README(1)')
})

it('checks each number of a name once', () => {
  const taken = new Set(['a(2)'])
  let asked = 0
  const numbering = createNumbering()
  const next = (name: string): string => {
    const free = numbering(name, (one) => {
      asked += 1
      return taken.has(one)
    })
    taken.add(free)
    return free
  }
  expect(['a', 'a', 'b', 'a', 'b'].map(next)).toEqual(['a', 'a(1)', 'b', 'a(3)', 'b(1)'])
  for (let n = 0; n < 1000; n++) next('a')
  expect(asked).toBeLessThan(3000)
})

it('shortens a name of maximal length between characters', () => {
  const bytes = (name: string) => new TextEncoder().encode(name).length
  expect(numbered(`${'x'.repeat(251)}.txt`, 1)).toBe(`${'x'.repeat(248)}(1).txt`)
  expect(numbered('x'.repeat(255), 12)).toBe(`${'x'.repeat(251)}(12)`)
  const family = '👩‍👩‍👧'
  const name = `${family.repeat(13)}ab.md`
  expect([bytes(name), numbered(name, 1)]).toEqual([239, `${family.repeat(13)}ab(1).md`])
  expect(numbered(`${family.repeat(13)}${'é'.repeat(8)}.md`, 1)).toBe(`${family.repeat(13)}${'é'.repeat(7)}(1).md`)
})
