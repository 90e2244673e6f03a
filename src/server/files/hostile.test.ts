import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { connect } from 'node:net'
import { parseFilePath, ROOT } from '../../shared/file-path.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { testApp } from './test-app.ts'

const SECRET = 'top secret'
const PUBLIC = 'for everybody'

/** The person's scope is /home/ann; the secret lies beside it, and nobody's spelling may reach it. */
const storage = createMemoryStorage()
const app = testApp({ storage, scope: parseFilePath('/home/ann') })
let server: Bun.Server<undefined>

beforeAll(async () => {
  for (const folder of ['/home', '/home/ann', '/home/ann/a', '/home/bob']) await storage.makeFolder(parseFilePath(folder))
  await put('/home/bob/secret.txt', SECRET)
  await put('/secret.txt', SECRET)
  await put('/home/ann/secret.txt', PUBLIC)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request, { peer: '127.0.0.1' }) })
})
afterAll(() => server.stop(true))

const UP = [
  '..',
  '.%2e',
  '%2e.',
  '%2e%2e',
  '%2E%2E',
  '%252e%252e',
  '%25252e%25252e',
  '..;',
  '..%00',
  '..%09',
  '..%20',
  '..%0d%0a',
  '..%c0%af',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '..%5c',
  '..\\',
  '...',
  '....',
  '%u002e%u002e',
  '%ef%bc%8e%ef%bc%8e',
  '..%ff',
  '.',
  '%2e',
  '',
]
const JOIN = ['/', '%2f', '%2F', '%252f', '\\', '%5c', '//', '/./', '%2f%2f', '%00/', ';/']
const ROUTES = ['/api/resources/', '/api/raw/', '/api/subtitle/', '/api/usage/', '/api/resources/recursive/']

describe('no spelling of a URL leaves the scope', () => {
  for (const route of ROUTES) {
    it(`reading ${route} (GHSA-4mh3-h929-w968)`, async () => {
      const spellings = UP.flatMap((up) => JOIN.map((join) => [up, join])).flatMap(([up, join]) => [
        `${up}${join}bob${join}secret.txt`,
        `a${join}${up}${join}${up}${join}bob${join}secret.txt`,
        `${up}${join}${up}${join}secret.txt`,
      ])
      for (const spelling of spellings) {
        const answer = await ask(`GET ${route}${spelling} HTTP/1.1`)
        expect(`${spelling} ${answer.includes(SECRET)}`).toBe(`${spelling} false`)
        expect(`${spelling} ${statusOf(answer)}`).toMatch(/ (200|202|301|400|404)$/)
      }
    })
  }

  it('writing does not leave it either (GHSA-4mh3-h929-w968, CVE-2026-35392, CVE-2026-35393)', async () => {
    const before = JSON.stringify([await names('/'), await names('/home'), await names('/home/bob')])
    for (const up of UP) {
      for (const join of JOIN) {
        const path = `a${join}${up}${join}${up}${join}bob${join}planted.txt`
        await ask(`POST /api/resources/${path} HTTP/1.1`, 'x')
        await ask(`PATCH /api/resources/secret.txt?action=copy&destination=/${path} HTTP/1.1`)
        await ask(`PATCH /api/resources/secret.txt?action=copy&destination=/${encodeURIComponent(path)} HTTP/1.1`)
        await ask(`DELETE /api/resources/a${join}${up}${join}${up}${join}bob${join}secret.txt HTTP/1.1`)
      }
    }
    expect(JSON.stringify([await names('/'), await names('/home'), await names('/home/bob')])).toBe(before)
  })
})

describe('an invalid URL', () => {
  it.each(['%', '%1', '%zz', 'a%', 'a/%e', '%%41', '%2', 'x%0', '%-1'])('%s is 400', async (path) => {
    for (const route of ROUTES) expect(statusOf(await ask(`GET ${route}${path} HTTP/1.1`))).toBe(400)
  })

  it.each(['a%00b', '%00', 'a//b', 'a%2f%2fb', 'a/%2e', 'a%2f..'])('%s is refused or means the path it shows', async (path) => {
    expect([400, 404, 200]).toContain(statusOf(await ask(`GET /api/raw/${path} HTTP/1.1`)))
    expect(statusOf(await ask(`GET /api/raw/a%00b HTTP/1.1`))).toBe(400)
  })

  it('can have any length', async () => {
    expect(statusOf(await ask(`GET /api/raw/${'a/'.repeat(3000)}x HTTP/1.1`))).toBeGreaterThanOrEqual(400)
    expect(statusOf(await ask(`GET /api/raw/${'a'.repeat(8000)} HTTP/1.1`))).toBeGreaterThanOrEqual(400)
  })
})

describe('an incomplete upload', () => {
  it('leaves nothing when the client disconnects', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port ?? 0, '127.0.0.1', () => {
        socket.write('POST /api/resources/half.bin HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n' + 'x'.repeat(500))
        setTimeout(() => socket.destroy(), 100)
      })
      socket.once('close', () => resolve())
    })
    await nothingStaged()
    expect(await names('/home/ann')).not.toContain('half.bin')
  })

  it('leaves nothing when chunked encoding ends early', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port ?? 0, '127.0.0.1', () => {
        socket.write('POST /api/resources/chunks.bin HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')
        setTimeout(() => socket.end(), 100)
      })
      socket.on('error', () => socket.destroy())
      socket.once('close', () => resolve())
    })
    await nothingStaged()
    expect(await names('/home/ann')).not.toContain('chunks.bin')
  })
})

/** Waits for it; the runner's own limit ends a wait that has no end. */
async function nothingStaged(): Promise<void> {
  while ((await storage.staged()).length > 0) await Bun.sleep(5)
}

async function put(path: string, content: string): Promise<void> {
  const staged = storage.stage(crypto.randomUUID(), { near: ROOT })
  await staged.append(new TextEncoder().encode(content))
  await staged.commit(parseFilePath(path), { replace: true })
}

async function names(folder: string): Promise<string[]> {
  return [...(await storage.list(parseFilePath(folder))).names].sort()
}

/** Over a bare socket, so that nobody tidies the address up. */
function ask(line: string, body = ''): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(server.port ?? 0, '127.0.0.1', () => {
      socket.write(`${line}\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`, 'latin1')
    })
    socket.setEncoding('latin1')
    socket.on('data', (text) => (answer += String(text)))
    socket.on('error', () => socket.destroy())
    socket.once('close', () => resolve(answer))
  })
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 400)
}
