import { expect, it } from 'bun:test'
import { slugOf } from './markdown.ts'

it('a heading is linked by its words, as GitHub writes them', () => {
  expect(['What is new?', '  Größe & Maß ', '<img src=x>', 'a_b c-d'].map(slugOf)).toEqual([
    'what-is-new',
    'größe--maß',
    'img-srcx',
    'a_b-c-d',
  ])
})
