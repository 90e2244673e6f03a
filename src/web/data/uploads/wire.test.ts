import { describe, expect, it } from 'bun:test'
import { fail } from '../../../shared/errors.ts'
import { parseFilePath } from '../../../shared/file-path.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { begin, transfer, type WireOptions } from './wire.ts'
import type { Incoming, Outgoing } from './xhr.ts'

describe('the wire of an upload', () => {
  it('sends a small file as one POST', async () => {
    const server = fakeServer()
    await transfer(job(10), { override: false }, server.options())
    expect(server.seen).toEqual(['POST /base/api/resources/a%20b.bin?override=false'])
  })

  it('sends a large file in chunks, each from where the server has got to', async () => {
    const server = fakeServer()
    const large = job(SINGLE_POST_BYTES + 5)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.seen.filter((line) => line.startsWith('PATCH'))).toHaveLength(3)
  })

  it('goes on at the true offset after the line dropped', async () => {
    const server = fakeServer({ dropAfter: 1 })
    const large = job(SINGLE_POST_BYTES + 5)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.seen.filter((line) => line.startsWith('HEAD'))).toHaveLength(2)
  })

  it('throws away what was sent when it is cancelled', async () => {
    const server = fakeServer()
    const control = new AbortController()
    const options = { ...server.options(), signal: control.signal, onProgress: () => control.abort() }
    await expect(transfer(job(SINGLE_POST_BYTES + 5), { override: false }, options)).rejects.toThrow('aborted')
    expect(server.seen).toEqual(['HEAD /base/api/tus/a%20b.bin', 'DELETE /base/api/tus/a%20b.bin'])
  })

  it('waits for a dead line as long as it takes, and begins anew what the server has forgotten', async () => {
    const server = fakeServer({ dead: true })
    const large = job(SINGLE_POST_BYTES + 5)
    const options = { ...server.options(), reach: async () => server.wake() }
    await transfer(large, { override: false }, options)
    expect(server.offset()).toBe(large.file.size)
    expect(server.seen.filter((line) => line.startsWith('POST'))).toEqual(['POST /base/api/tus/a%20b.bin'])
  })

  it('gives up when a server that can be reached goes on hanging up', async () => {
    const server = fakeServer({ dead: true })
    await expect(transfer(job(10), { override: false }, server.options())).rejects.toMatchObject({ code: 'offline' })
  })

  it('says when a small file was last changed', async () => {
    const server = fakeServer()
    let said: Record<string, string> = {}
    const options = server.options()
    const request: typeof options.request = async (outgoing) => {
      said = outgoing.headers
      return { status: 200, header: () => null }
    }
    await transfer(
      { path: parseFilePath('/a'), file: new File(['x'], 'a', { lastModified: 1_700_000_000_123 }) },
      { override: false },
      { ...options, request },
    )
    expect(said['x-oc-mtime']).toBe('1700000000.123')
  })
})

function job(size: number): { path: ReturnType<typeof parseFilePath>; file: File } {
  return { path: parseFilePath('/a b.bin'), file: new File([new Uint8Array(size)], 'a b.bin') }
}

function fakeServer({ dropAfter = Infinity, dead = false } = {}): {
  seen: string[]
  offset: () => number
  wake: () => void
  options: () => WireOptions
} {
  const seen: string[] = []
  let offset = 0
  let patches = 0
  let isDead = dead
  let known = !dead
  const answer = (): Incoming => ({ status: 200, header: () => String(offset) })
  async function request({ method, address, body, signal }: Outgoing): Promise<Incoming> {
    if (isDead) fail('offline', {})
    if (signal?.aborted) throw new DOMException('aborted', 'AbortError')
    seen.push(`${method} ${address}`)
    if (method === 'POST') known = true
    if (method === 'HEAD' && !known) fail('not-found', {})
    if (method !== 'PATCH') return answer()
    patches += 1
    if (patches === dropAfter + 1) {
      offset += 100
      fail('offline', {})
    }
    offset += body?.size ?? 0
    return answer()
  }
  return {
    seen,
    offset: () => offset,
    wake: () => void (isDead = false),
    options: () => ({
      base: '/base',
      headers: () => ({}),
      chunkBytes: 4 * 1024 * 1024,
      retries: 2,
      signal: new AbortController().signal,
      onProgress: () => {},
      pause: async () => {},
      reach: async () => {},
      request,
    }),
  }
}
