import { expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { foldKeys } from './fold-keys.ts'

const Schema = z.object({
  username: z.string(),
  baseUrl: z.optional(z.string()),
  rules: z._default(z.array(z.object({ allow: z.boolean() })), []),
})

it('S12: keys match in any case, also in lists and records', () => {
  expect(foldKeys(Schema, { Username: 'ann', BASEURL: 'x', Rules: [{ Allow: true }] })).toEqual({
    username: 'ann',
    baseUrl: 'x',
    rules: [{ allow: true }],
  })
})

it('S12: the exact case takes precedence, and unknown keys are unchanged', () => {
  expect(foldKeys(Schema, { Username: 'mallory', username: 'ann', other: { Deep: 1 } })).toEqual({ username: 'ann', other: { Deep: 1 } })
  expect(Object.keys(foldKeys(Schema, JSON.parse('{"__proto__": {"username": "x"}}')) as object)).toEqual(['__proto__'])
  for (const odd of [null, 1, 'text', [], [{ Username: 1 }]]) expect(foldKeys(Schema, odd)).toEqual(odd)
})
