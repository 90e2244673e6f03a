import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { ask, PASSWORD, type Server, signIn, start } from './program.ts'

const MINUTE_MS = 60_000
const LOCK = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`

/** Two servers whose clocks are ten minutes apart; that of the database is between them. */
export function describeClocks(server: () => string): void {
  describe('two servers whose clocks are five minutes off', () => {
    let home: string
    let early: Server
    let late: Server
    const said: [string[], string[]] = [[], []]

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-clocks-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SATCHEL_DATABASE: await newSchema(server()),
        SATCHEL_ROOT: join(home, 'root'),
        // Shorter than they are off.
        SATCHEL_TOKEN_EXPIRATION_TIME: '3m',
        BUN_OPTIONS: `--preload=${join(import.meta.dir, 'skewed-clock.ts')}`,
      }
      early = await start(home, { ...env, TEST_CLOCK_OFF_MS: String(-5 * MINUTE_MS) }, 'a', said[0])
      late = await start(home, { ...env, TEST_CLOCK_OFF_MS: String(5 * MINUTE_MS) }, 'b', said[1])
    }, 300_000)

    afterAll(async () => {
      for (const { process: child } of [early, late]) {
        child.kill('SIGTERM')
        await child.exited
      }
      rmSync(home, { recursive: true })
    })

    it('do have clocks that are ten minutes apart', async () => {
      for (const each of [early, late]) await ask(each, '/health')
      const times = said.map((lines) => Date.parse(/"time":"([^"]+)"/.exec(lines.join(''))?.[1] ?? ''))
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(9 * MINUTE_MS)
    })

    it('do not end each other’s sessions', async () => {
      for (const [here, there] of [
        [early, late],
        [late, early],
      ] as const) {
        const headers = { 'x-auth': await signIn(here) }
        expect((await fetch(`${there.url}/api/resources/`, { headers })).status).toBe(200)
        const { status } = await fetch(`${there.url}/api/renew`, { method: 'POST', headers })
        expect(status).toBe(200)
      }
    })

    it('do not end each other’s links and locks before their time', async () => {
      const headers = { 'x-auth': await signIn(early) }
      await ask(early, '/api/resources/a.txt', { method: 'POST', headers, body: 'a' })
      const until = JSON.stringify({ expires: '1', unit: 'minutes' })
      const { hash } = JSON.parse(await ask(early, '/api/share/a.txt', { method: 'POST', headers, body: until }))
      expect(await ask(late, `/api/public/dl/${hash}`)).toBe('a')
      const authorization = `Basic ${btoa(`admin:${PASSWORD}`)}`
      const locked = await fetch(`${early.url}/dav/a.txt`, {
        method: 'LOCK',
        headers: { authorization, timeout: 'Second-60', 'content-type': 'text/xml' },
        body: LOCK,
      })
      expect(locked.status).toBe(200)
      expect((await fetch(`${late.url}/dav/a.txt`, { method: 'PUT', headers: { authorization }, body: 'b' })).status).toBe(423)
    })

    it('do not take an upload from the other that is receiving bytes', async () => {
      const headers = { 'x-auth': await signIn(early), 'tus-resumable': TUS_VERSION }
      const address = '/api/tus/film?upload=mine'
      const patch = { ...headers, 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
      await ask(early, address, { method: 'POST', headers: { ...headers, 'upload-length': '4' } })
      let stop = (): void => undefined
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          for (const byte of 'new!') {
            controller.enqueue(new TextEncoder().encode(byte))
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, 1500)
              stop = () => (clearTimeout(timer), resolve())
            })
          }
          controller.close()
        },
      })
      const sending = fetch(early.url + address, { method: 'PATCH', headers: patch, body })
      await Bun.sleep(500)
      for (let n = 0; n < 4; n++) {
        const taken = await fetch(late.url + address, { method: 'PATCH', headers: patch, body: 'old!' })
        expect(taken.status).not.toBe(204)
        await Bun.sleep(700)
      }
      expect((await sending).status).toBe(204)
      stop()
      expect(await ask(late, '/api/raw/film', { headers })).toBe('new!')
    }, 60_000)
  })
}
