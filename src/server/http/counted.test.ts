import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Part } from '../../shared/file-part.ts'
import { sendFile, type ServedFile } from './bytes.ts'
import { sendCounted } from './counted.ts'

const FILE_BYTES = 40_000_000
/** The runtime counts in steps of four seconds. */
const QUIET_SECONDS = 8

describe('a counted response', () => {
  const folder = mkdtempSync(join(tmpdir(), 'counted-'))
  const bytes = Buffer.alloc(FILE_BYTES, 'some text of an odd length')
  let server: Bun.Server<undefined>

  beforeAll(() => {
    writeFileSync(join(folder, 'file'), bytes)
    server = serve(join(folder, 'file'))
  })
  afterAll(async () => {
    await server.stop(true)
    rmSync(folder, { recursive: true })
  })

  it('has the same bytes, whether sent by the kernel or by us', async () => {
    const response = await fetch(server.url)
    expect(response.headers.get('content-length')).toBe(String(FILE_BYTES + 8))
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat([Buffer.from('head'), bytes, Buffer.from('tail')]))).toBe(true)
  })

  it('continues as long as the client receives', async () => {
    const start = performance.now()
    expect(await takenSlowly(server, { everyMs: 400, forMs: QUIET_SECONDS * 1000 + 4000 })).toBeGreaterThan(FILE_BYTES)
    expect(performance.now() - start).toBeGreaterThan(QUIET_SECONDS * 1000)
  }, 300_000)

  it('B9: is still necessary: the runtime removes the length of a stream. Once this fails, sendCounted can go (docs/decisions/055)', async () => {
    // In two pieces: what comes as one goes out with its length.
    async function* late() {
      yield 'te'
      await Bun.sleep(20)
      yield 'xt'
    }
    await using plain = Bun.serve({ port: 0, fetch: () => new Response(late(), { headers: { 'content-length': '4' } }) })
    const response = await fetch(plain.url)
    expect(await response.text()).toBe('text')
    expect(response.headers.get('content-length')).toBeNull()
  })
})

/** A file between two words, with a client that may be slow. */
function serve(path: string): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request, own) {
      const descriptor = openSync(path, 'r')
      const file: ServedFile = {
        stat: { size: FILE_BYTES + 8, modified: null },
        async *parts(): AsyncGenerator<Part> {
          yield Buffer.from('head')
          const peek = async (start: number, length: number) =>
            new Uint8Array(
              await Bun.file(path)
                .slice(start, start + length)
                .arrayBuffer(),
            )
          yield { descriptor, start: 0, end: FILE_BYTES, peek }
          yield Buffer.from('tail')
        },
        stream: () => new ReadableStream(),
        close: async () => undefined,
      }
      const response = sendFile(request, file, { name: 'x', inline: false, contentType: 'text/plain', etag: '"x"' })
      own.timeout(request, 0)
      await sendCounted(request, response, { peer: own.requestIP(request), port: own.port ?? 0, quietSeconds: QUIET_SECONDS })
      closeSync(descriptor)
      return new Response(null, { headers: { connection: 'close' } })
    },
  })
}

/** Takes a little at a time, and after a while the rest. @returns bytes until the connection ended */
function takenSlowly({ port }: Bun.Server<undefined>, { everyMs, forMs }: { everyMs: number; forMs: number }): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port: port ?? 0 })
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  let taken = 0
  const slowUntil = performance.now() + forMs
  socket.on('data', (chunk) => {
    taken += chunk.length
    if (performance.now() > slowUntil) return
    socket.pause()
    setTimeout(() => socket.resume(), everyMs)
  })
  return new Promise((resolve, reject) => {
    socket.on('close', () => resolve(taken))
    socket.on('error', reject)
  })
}
