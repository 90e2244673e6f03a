import { expect, it } from 'bun:test'
import { createTestInstall } from './satchel.ts'

it('tells by its exit code whether the server of these settings answers', async () => {
  const { satchel, serve } = await createTestInstall()
  {
    await using server = await serve()
    const { port } = new URL(server.url)
    expect(await satchel(['health', '--port', port])).toEqual({ code: 0, out: 'OK\n', complaints: '' })
    expect(await satchel(['health'], { SATCHEL_PORT: port, SATCHEL_ADDRESS: '0.0.0.0' })).toMatchObject({ code: 0 })
  }
  expect(await satchel(['health', '--port', '1'])).toEqual({
    code: 1,
    out: '',
    complaints: 'satchel: nothing answers at http://127.0.0.1:1/health\n',
  })
})

it('asks at the socket, and says so when the database is away', async () => {
  const { satchel, home } = await createTestInstall()
  const socket = `${home}/socket`
  const server = Bun.serve({ unix: socket, fetch: () => new Response('{"status":"no database"}', { status: 503 }) })
  try {
    expect(await satchel(['health', '--socket', socket])).toEqual({
      code: 1,
      out: '',
      complaints: 'satchel: the server cannot work: {"status":"no database"}\n',
    })
  } finally {
    await server.stop(true)
  }
})
