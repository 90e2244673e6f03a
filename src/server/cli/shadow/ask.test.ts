import { afterAll, describe, expect, it } from 'bun:test'
import { createPeer } from './ask.ts'
import { questionOf } from './requests.ts'

const BODIES: Readonly<Record<string, string>> = {
  'good.json': '{"a":1}',
  'lines.json': '{"a":1}\n{"a":2}\n',
  'comment.json': '{ // a file of a person\n}',
  'deep.json': '['.repeat(200_000),
}
const server = Bun.serve({
  port: 0,
  fetch: ({ url }) => new Response(BODIES[url.split('/').at(-1) ?? ''], { headers: { 'content-type': 'application/json' } }),
})
afterAll(() => server.stop(true))

describe('an answer', () => {
  it('is compared by its values where it is JSON, and by its bytes where it only says so', async () => {
    const bodies = await Promise.all(
      Object.keys(BODIES).map(async (name) => {
        const question = questionOf({ method: 'GET', target: `/api/raw/${name}`, range: null }, '')
        if (typeof question === 'string') throw new Error(question)
        return (await createPeer(server.url.href.slice(0, -1)).ask(question, null)).body
      }),
    )
    const bytes = { length: expect.any(String), sha256: expect.any(String) }
    expect(bodies).toEqual([{ a: 1 }, [{ a: 1 }, { a: 2 }], bytes, bytes])
  })
})
