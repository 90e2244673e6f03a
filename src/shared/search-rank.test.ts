import { expect, it } from 'bun:test'
import { parseQuery } from './search-query.ts'
import { compareRanks, rankOf } from './search-rank.ts'

function ranked(text: string, paths: string[]): string[] {
  const query = parseQuery(text, new Date())
  return paths
    .map((path) => rankOf(path, query))
    .sort(compareRanks)
    .map(({ path }) => path)
}

it('ranks an exact name first, then its start, then the start of a word, then the rest', () => {
  expect(ranked('plan', ['explanation.md', 'my-plan.md', 'planet.md', 'x/plan.md'])).toEqual([
    'x/plan.md',
    'planet.md',
    'my-plan.md',
    'explanation.md',
  ])
})

it('ranks names with more words first, shorter ones first, then in natural order', () => {
  expect(ranked('a b', ['a10', 'a9', 'b a', 'a'])).toEqual(['b a', 'a', 'a9', 'a10'])
  expect(ranked('', ['z2/x10', 'z10/x10', 'x09', 'x9'])).toEqual(['x9', 'x09', 'z10/x10', 'z2/x10'])
})
