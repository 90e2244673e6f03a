import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { withAttacks } from './print-security.ts'
import { ATTACKS, namesOf } from './security/known.ts'
import { idsIn, isNamed, titlesIn, titlesOfTests } from './security/titles.ts'

const titles = titlesOfTests()

describe('docs/security.md', () => {
  it('is what the tests are called now; else run npm run security', () => {
    const page = readFileSync(join(import.meta.dir, '../docs/security.md'), 'utf8')
    expect(page).toBe(withAttacks(page, titles))
  })

  it('has a test for every attack that is known', () => {
    expect(ATTACKS.filter((attack) => !titles.some((title) => isNamed(title, attack))).map(({ id }) => id)).toEqual([])
  })

  it('knows every attack that a test names, and each once', () => {
    const known = ATTACKS.flatMap(namesOf)
    expect(known).toHaveLength(new Set(known).size)
    const named = titles.flatMap(({ file, text }) => idsIn(text).map((id) => ({ id, file })))
    expect(named.filter(({ id }) => !known.includes(id))).toEqual([])
  })
})

it('titles are read in each way they are written, with the groups they stand in', () => {
  const source = [
    `describe('all', () => {`,
    `  it('one (R1)', () => {})`,
    '  describe(`two ${x} (A4-1)`, () => {',
    `    it.each(['a', 'b'])('three %s', () => {})`,
    `  })`,
    `})`,
    `test("it's four", () => {})`,
    `for (const x of all) it(\n  'five isn\\'t', () => {})`,
    `await('six')`,
  ].join('\n')
  expect(titlesIn(source)).toEqual([
    { text: 'all', within: [] },
    { text: 'one (R1)', within: ['all'] },
    { text: 'two … (A4-1)', within: ['all'] },
    { text: 'three %s', within: ['all', 'two … (A4-1)'] },
    { text: "it's four", within: [] },
    { text: "five isn't", within: [] },
  ])
  expect(isNamed({ text: 'R8: a download breaks off' }, { id: 'R8', did: '', why: '' })).toBe(false)
  expect(isNamed({ text: 'A9: no namespace' }, { id: 'A9', did: '', why: '' })).toBe(true)
  expect(idsIn('x (GHSA-5q48-q4fm-g3m6, R1, security R13) R2 (A4-1)')).toEqual(['GHSA-5q48-q4fm-g3m6', 'R1', 'R13', 'A4-1'])
})
