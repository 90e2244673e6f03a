import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { mountHealth, type ServerState } from '../../src/server/http/health.ts'
import { createRouter } from '../../src/server/http/router.ts'
import { startProgram } from './program.ts'

it('a server is ready once it has settled what was left, and not from the stop signal on, while requests are served for the delay', async () => {
  const home = mkdtempSync(join(tmpdir(), 'satchel-ready-'))
  const program = await startProgram(home, { args: ['--stopDelay', '2s'] })
  const ready = async () => {
    const answer = await fetch(`${program.url}/ready`).catch(() => null)
    return answer === null ? 'gone' : [answer.status, await answer.text()].join(' ')
  }
  while ((await ready()) !== '200 {"status":"ready"}') await Bun.sleep(5)
  process.kill(program.pid, 'SIGTERM')
  while ((await ready()) === '200 {"status":"ready"}') await Bun.sleep(5)
  const begun = performance.now()
  expect(await ready()).toBe('503 {"status":"stopping"}')
  expect((await fetch(`${program.url}/health`)).status).toBe(200)
  expect((await program.open('/api/resources/', {})).status).toBe(200)
  while ((await ready()) !== 'gone') await Bun.sleep(5)
  expect(performance.now() - begun).toBeGreaterThan(1500)
  rmSync(home, { recursive: true })
}, 60_000)

it('is not ready without its database, and tells why', async () => {
  let state: ServerState = 'starting'
  let database = async (): Promise<unknown> => undefined
  const app = createRouter({ placeOf: () => ({ path: '/ready', share: null, viewing: null }) })
  mountHealth(app, { isDoctor: async () => false, askDatabase: () => database(), state: () => state })
  const ask = async () => {
    const bindings = { peer: null, secure: false, trusted: false, upgrade: () => false }
    const answer = await app.fetch(new Request('http://x/ready'), bindings)
    return [answer.status, await answer.json()]
  }
  expect(await ask()).toEqual([503, { status: 'starting' }])
  state = 'ready'
  expect(await ask()).toEqual([200, { status: 'ready' }])
  database = () => Promise.reject(new Error('away'))
  expect(await ask()).toEqual([503, { status: 'no database' }])
})
