import { expect, it } from 'bun:test'
import * as z from 'zod/mini'
import { foldKeys } from './fold-keys.ts'

const Schema = z.object({
  username: z.string(),
  baseUrl: z.optional(z.string()),
  rules: z._default(z.array(z.object({ allow: z.boolean() })), []),
})

it('S12: names are known whatever their case, in lists and records too', () => {
  expect(foldKeys(Schema, { Username: 'ann', BASEURL: 'x', Rules: [{ Allow: true }] })).toEqual({
    username: 'ann',
    baseUrl: 'x',
    rules: [{ allow: true }],
  })
})

it('S12: the right case wins, and what nobody knows stays as it is', () => {
  expect(foldKeys(Schema, { Username: 'mallory', username: 'ann', other: { Deep: 1 } })).toEqual({ username: 'ann', other: { Deep: 1 } })
  expect(Object.keys(foldKeys(Schema, JSON.parse('{"__proto__": {"username": "x"}}')) as object)).toEqual(['__proto__'])
  for (const odd of [null, 1, 'text', [], [{ Username: 1 }]]) expect(foldKeys(Schema, odd)).toEqual(odd)
})
