import { describe, expect, it } from 'bun:test'
import { slugProblem } from './share-slug.ts'

describe('a name for a link', () => {
  it('has 3 to 64 letters, digits, dashes and underscores, not only dashes and underscores', () => {
    for (const good of ['abc', 'Summer-2026', 'a_b', '2026', '-ab', 'ab-', '_ab', 'x'.repeat(64)])
      expect([good, slugProblem(good)]).toEqual([good, null])
    for (const bad of ['ab', 'x'.repeat(65), '---', '-_-', 'a b', 'a/b', 'a.b', '..', 'ä-b', 'a%20b', 'abc\n', ''])
      expect([bad, slugProblem(bad)]).toEqual([bad, 'form'])
  })

  it('is not a reserved word, in any case', () => {
    for (const word of ['api', 'API', 'login', 'Static', 'new']) expect([word, slugProblem(word)]).toEqual([word, 'reserved'])
  })
})
