import { describe, expect, it } from 'bun:test'
import { type Answer, differencesOf } from './compare.ts'

describe('the comparison of two answers', () => {
  it('finds a missing field, another value and a missing entry, and names the place', () => {
    const item = (name: string, size: number) => ({ name, size, isDir: false })
    const old = json({ items: [item('a.txt', 1), item('b.txt', 2)], numDirs: 0 })
    expect(differencesOf(old, json({ items: [item('b.txt', 3)] }))).toEqual([
      '.items: "a.txt" is missing here',
      '.items["b.txt"].size: 2, here 3',
      '.numDirs: missing here',
    ])
  })

  it('takes lists in any order, times in any zone, and more fields than before as equal', () => {
    const old = json([{ path: 'a', modified: '2026-11-21T01:55:46.103922225Z' }, { path: 'b' }])
    expect(
      differencesOf(
        old,
        json([
          { path: 'b', more: 1 },
          { path: 'a', modified: '2026-11-21T02:55:46.104+01:00' },
        ]),
      ),
    ).toEqual([])
  })

  it('compares files by type, name, time and content', () => {
    const file = (headers: Record<string, string>, sha256: string): Answer => ({
      status: 200,
      headers: new Headers(headers),
      isJson: false,
      body: { sha256 },
    })
    const old = file({ 'content-type': 'text/plain; charset=utf-8', 'content-disposition': "attachment; filename*=utf-8''a%20b.txt" }, 'x')
    expect(
      differencesOf(old, file({ 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a b.txt"' }, 'x')),
    ).toEqual([])
    expect(differencesOf(old, file({ 'content-type': 'text/html' }, 'y'))).toEqual([
      'content-type "text/plain", here "text/html"',
      'content-disposition "attachment; a b.txt", here none',
      '.sha256: "x", here "y"',
    ])
  })

  it('tells another status alone, and does not compare texts of errors', () => {
    const answer = (status: number, body: unknown): Answer => ({ status, headers: new Headers(), isJson: true, body })
    expect(differencesOf(answer(403, 'a'), answer(401, 'b'))).toEqual(['status 403, here 401'])
    expect(differencesOf(answer(404, 'a'), answer(404, 'b'))).toEqual([])
  })
})

function json(body: unknown): Answer {
  return { status: 200, headers: new Headers({ 'content-type': 'application/json' }), isJson: true, body }
}
