import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { newSchema } from '../../src/server/db/test-database.ts'
import { ask, PASSWORD, type Server, signIn, start, until } from './program.ts'

const LENGTH = 3_000_000
const PART = 1_700_000
const TUS = { 'tus-resumable': TUS_VERSION }

/** A server that stops in the middle of an upload, as a paused machine does, and wakes up when everything has gone on without it. */
export function describePaused(server: () => string): void {
  describe('R1: a server that is paused while it takes in a file', () => {
    let home: string
    let one: Server
    let other: Server

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-paused-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SATCHEL_DATABASE: await newSchema(server()),
        SATCHEL_ROOT: join(home, 'root'),
      }
      one = await start(home, env, 'a')
      other = await start(home, env, 'b')
    }, 300_000)

    afterAll(async () => {
      for (const { process: child } of [one, other]) {
        child.kill('SIGCONT')
        child.kill('SIGTERM')
        await child.exited
      }
      rmSync(home, { recursive: true })
    })

    it('changes nothing of what the other server published, whatever it still writes', async () => {
      const headers = { ...TUS, 'x-auth': await signIn(one) }
      const file = join(home, 'root/film')
      const address = '/api/tus/film?upload=mine'
      await ask(one, address, { method: 'POST', headers: { ...headers, 'upload-length': String(LENGTH) } })
      const old = Buffer.alloc(LENGTH, 'old ')
      const wanted = Buffer.alloc(LENGTH, 'new ')
      using line = openLine(one, address, headers)
      await line.send(old.subarray(0, PART))
      const offsetAt = async (where: Server) => {
        const answer = await fetch(where.url + address, { method: 'HEAD', headers })
        return answer.ok ? Number(answer.headers.get('upload-offset')) : -1
      }
      // All of it is safe, and the other server knows.
      await until(async () => (await offsetAt(one)) === PART && (await offsetAt(other)) === PART)
      // Some more waits in the server's memory and in the kernel's when it stops.
      await line.send(old.subarray(PART, PART + 300_000))
      one.process.kill('SIGSTOP')
      await line.send(old.subarray(PART + 300_000))
      let from = -1
      await until(async () => {
        from = await offsetAt(other)
        if (from < 0) return false
        const body = wanted.subarray(from)
        const patch = { ...headers, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE }
        return (await fetch(other.url + address, { method: 'PATCH', headers: patch, body })).status === 204
      })
      const published = readFileSync(file)
      expect(published.equals(Buffer.concat([old.subarray(0, from), wanted.subarray(from)]))).toBe(true)
      one.process.kill('SIGCONT')
      // It has found out, and has let go.
      expect(await line.status()).toBe(423)
      expect(readFileSync(file).equals(published)).toBe(true)
    }, 300_000)
  })

  describe('R4: two who save one file on two servers', () => {
    it('over the same version: one of them wins, the other is told', async () => {
      const home = mkdtempSync(join(tmpdir(), 'satchel-savers-'))
      mkdirSync(join(home, 'root'))
      await Bun.write(join(home, 'password'), PASSWORD)
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SATCHEL_DATABASE: await newSchema(server()),
        SATCHEL_ROOT: join(home, 'root'),
      }
      const servers = [await start(home, env, 'a'), await start(home, env, 'b')]
      try {
        const [first] = servers as [Server, Server]
        const headers = { 'x-auth': await signIn(first) }
        await ask(first, '/api/resources/a.txt', { method: 'POST', headers, body: 'start' })
        for (let round = 0; round < 20; round++) {
          const etag = (await fetch(`${first.url}/api/raw/a.txt`, { headers })).headers.get('etag') ?? ''
          const statuses = await Promise.all(
            servers.map(async ({ url }, n) => {
              const init = { method: 'PUT', headers: { ...headers, 'if-match': etag }, body: `round ${round} of ${n}` }
              return (await fetch(`${url}/api/resources/a.txt`, init)).status
            }),
          )
          expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412])
        }
      } finally {
        for (const { process: child } of servers) {
          child.kill('SIGTERM')
          await child.exited
        }
        rmSync(home, { recursive: true })
      }
    }, 300_000)
  })
}

/** A PATCH from the beginning, whose body comes piece by piece. */
function openLine({ url }: Server, address: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const head = { ...headers, host: 'x', 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE, 'content-length': String(LENGTH) }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`PATCH ${address} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  socket.on('error', () => undefined)
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('data', (data) => resolve(Number(String(data).split(' ')[1])))
  socket.once('close', () => resolve(0))
  return {
    send: async (bytes: Buffer): Promise<void> => void socket.write(bytes),
    status: () => promise,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
