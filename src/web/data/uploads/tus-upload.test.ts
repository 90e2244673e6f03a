import { describe, expect, it } from 'bun:test'
import { AppError, fail } from '../../../shared/errors.ts'
import { parseFilePath } from '../../../shared/file-path.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { createBodyLimit, BodyRefused } from './body-limit.ts'
import { begin, sendBulk, transfer, type UploadOptions } from './tus-upload.ts'
import type { Incoming, Outgoing } from './xhr.ts'

const MIB = 1024 * 1024

describe('the requests of an upload', () => {
  it('sends a small file as one POST', async () => {
    const server = fakeServer()
    await transfer(job(10), { override: false }, server.options())
    expect(server.seen).toEqual(['POST /base/api/resources/a%20b.bin?override=false'])
  })

  it('sends a large file in pieces that grow, each from the server’s offset', async () => {
    const server = fakeServer()
    const large = job(30 * MIB)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.sizes).toEqual([4 * MIB, 16 * MIB, 10 * MIB])
  })

  it('begins small again after the line broke', async () => {
    const server = fakeServer({ dropAfter: 2 })
    const large = job(40 * MIB)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.sizes.slice(0, 4)).toEqual([4 * MIB, 16 * MIB, 20 * MIB, 4 * MIB])
  })

  it('goes back to the size that passed when a larger piece is refused, and stays there', async () => {
    const server = fakeServer({ refusesOver: 17 * MIB })
    const large = job(60 * MIB)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.sizes).toEqual([4 * MIB, 16 * MIB, 16 * MIB, 16 * MIB, 8 * MIB])
    expect(server.limit.store.getState().bytes).toBe(16 * MIB)
  })

  it('resumes at the server’s offset after a lost connection', async () => {
    const server = fakeServer({ dropAfter: 1 })
    const large = job(SINGLE_POST_BYTES + 5)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.seen.filter((line) => line.startsWith('HEAD'))).toHaveLength(2)
  })

  it('deletes the sent bytes when it is cancelled', async () => {
    const server = fakeServer()
    const control = new AbortController()
    const options = { ...server.options(), signal: control.signal, onProgress: () => control.abort() }
    await expect(transfer(job(SINGLE_POST_BYTES + 5), { override: false }, options)).rejects.toThrow('aborted')
    expect(server.seen).toEqual(['HEAD /base/api/tus/a%20b.bin', 'DELETE /base/api/tus/a%20b.bin'])
  })

  it('waits while the server is unreachable, and starts again if the upload has expired', async () => {
    const server = fakeServer({ dead: true })
    const large = job(SINGLE_POST_BYTES + 5)
    const options = { ...server.options(), waitUntilReachable: async () => server.wake() }
    await transfer(large, { override: false }, options)
    expect(server.offset()).toBe(large.file.size)
    expect(server.seen.filter((line) => line.startsWith('POST'))).toEqual(['POST /base/api/tus/a%20b.bin'])
  })

  it('fails if a reachable server keeps closing the connection', async () => {
    const server = fakeServer({ dead: true })
    await expect(transfer(job(10), { override: false }, server.options())).rejects.toMatchObject({ code: 'offline' })
  })

  it('reduces the chunk size when a proxy refuses it, and remembers it', async () => {
    const server = fakeServer({ refusesOver: MIB })
    const large = job(9 * MIB)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.sizes).toEqual(Array.from({ length: 9 }, () => MIB))
    expect(server.limit.store.getState().bytes).toBe(MIB)
    const refusals = server.seen.length
    await begin(large, { override: false }, server.options())
    expect(server.seen.slice(refusals)).toEqual(['POST /base/api/tus/a%20b.bin'])
  })

  it('sends a small file in chunks when a proxy refuses it, and later ones directly', async () => {
    const server = fakeServer({ refusesOver: MIB })
    await begin(job(3 * MIB), { override: false }, server.options())
    await transfer(job(3 * MIB), { override: false }, server.options())
    expect(server.seen.slice(0, 2)).toEqual(['POST /base/api/resources/a%20b.bin?override=false', 'POST /base/api/tus/a%20b.bin'])
    expect(server.sizes).toEqual([MIB, MIB, MIB])
    const next = fakeServer({ refusesOver: MIB })
    await begin(job(2 * MIB), { override: false }, { ...next.options(), limit: server.limit })
    expect(next.seen).toEqual(['POST /base/api/tus/a%20b.bin'])
  })

  it('treats repeated disconnects at the start of a large body as a refusal, but not a single or later one', async () => {
    const server = fakeServer({ cutsOver: MIB })
    const large = job(9 * MIB)
    await begin(large, { override: false }, server.options())
    await transfer(large, { override: false }, server.options())
    expect(server.offset()).toBe(large.file.size)
    expect(server.limit.store.getState().bytes).toBe(MIB)
    const lucky = fakeServer({ dropAfter: 1 })
    await transfer(large, { override: false }, lucky.options())
    expect(lucky.limit.store.getState().bytes).toBeNull()
    const bad = fakeServer({ cutsOver: MIB, sentBeforeCut: 0.9 })
    await expect(transfer(large, { override: false }, bad.options())).rejects.toMatchObject({ code: 'offline' })
    expect(bad.limit.store.getState().bytes).toBeNull()
  })

  it('fails as too large if even small chunks are refused', async () => {
    const server = fakeServer({ refusesOver: 10 })
    await expect(transfer(job(3 * MIB), { override: false }, server.options())).rejects.toMatchObject({ code: 'too-large' })
    expect(server.limit.store.getState().bytes).toBe(64 * 1024)
  })

  it('uses the new token if it was renewed during a chunk', async () => {
    const server = fakeServer()
    const large = job(SINGLE_POST_BYTES + 5)
    const { request, ...options } = server.options()
    let token = 'old'
    const used: string[] = []
    const guarded: typeof request = async (outgoing) => {
      used.push(outgoing.headers['x-auth'] ?? '')
      // Renewed elsewhere in the page just before the second piece is looked at.
      if (server.sizes.length === 1) token = 'new'
      if (outgoing.headers['x-auth'] !== token) fail('sign-in-needed', {})
      return request?.(outgoing) ?? fail('offline', {})
    }
    await transfer(large, { override: false }, { ...options, headers: () => ({ 'x-auth': token }), request: guarded })
    expect(server.offset()).toBe(large.file.size)
    expect(used).toEqual(['old', 'old', 'old', 'new'])
  })

  it('sends the modification time of a small file', async () => {
    const server = fakeServer()
    let said: Record<string, string> = {}
    const options = server.options()
    const request: typeof options.request = async (outgoing) => {
      said = outgoing.headers
      return { status: 200, header: () => null, text: () => '' }
    }
    await transfer(
      { path: parseFilePath('/a'), file: new File(['x'], 'a', { lastModified: 1_700_000_000_123 }) },
      { override: false },
      { ...options, request },
    )
    expect(said['x-oc-mtime']).toBe('1700000000.123')
  })

  it('recognizes a small file that arrived before the disconnect, instead of a conflict', async () => {
    const server = fakeServer()
    const asked: string[] = []
    const answers = [() => fail('offline', {}), () => fail('already-exists', { path: '/a b.bin' })]
    const request: UploadOptions['request'] = async () => answers.shift()?.() ?? fail('unexpected', { incident: 'asked too often' })
    const isUploaded: UploadOptions['isUploaded'] = async ({ path }) => asked.push(path) > 0
    await transfer(job(10), { override: false }, { ...server.options(), request, isUploaded })
    expect(asked).toEqual(['/a b.bin'])
  })

  it('asks about a taken name if no response was lost', async () => {
    const server = fakeServer()
    const request: UploadOptions['request'] = async () => fail('already-exists', { path: '/a b.bin' })
    await expect(
      transfer(job(10), { override: false }, { ...server.options(), request, isUploaded: async () => true }),
    ).rejects.toMatchObject({ code: 'already-exists' })
  })

  it('sends many files in one body, and reports each result', async () => {
    const server = fakeServer()
    const failures = [null, { code: 'already-exists', detail: { path: '/1' } }]
    let body = ''
    const request: UploadOptions['request'] = async (outgoing) => {
      body = (await outgoing.body?.text()) ?? ''
      return { status: 200, header: () => null, text: () => JSON.stringify({ failures }) }
    }
    const control = { signal: new AbortController().signal, onProgress: () => {} }
    const items = ['one', 'two!'].map((text, at) => ({
      job: { path: parseFilePath(`/${at}`), file: new File([text], String(at), { lastModified: 7 }) },
      override: at === 1,
      sendAlone: async () => {},
      ...control,
    }))
    const outcome = await sendBulk(items, control, { ...server.options(), request })
    expect(outcome.map((error) => error?.code ?? null)).toEqual([null, 'already-exists'])
    expect(body).toBe(
      '{"files":[{"path":"/0","size":3,"modified":7,"override":false},{"path":"/1","size":4,"modified":7,"override":true}]}\nonetwo!',
    )
  })
})

function job(size: number): { path: ReturnType<typeof parseFilePath>; file: File } {
  return { path: parseFilePath('/a b.bin'), file: new File([new Uint8Array(size)], 'a b.bin') }
}

function fakeServer({ dropAfter = Infinity, dead = false, refusesOver = Infinity, cutsOver = Infinity, sentBeforeCut = 0 } = {}): {
  /** Of the bodies that arrived. */
  sizes: number[]
  limit: ReturnType<typeof createBodyLimit>
  seen: string[]
  offset: () => number
  wake: () => void
  options: () => UploadOptions
} {
  const seen: string[] = []
  const sizes: number[] = []
  const limit = createBodyLimit({ read: () => null, write: () => {} })
  let offset = 0
  let patches = 0
  let isDead = dead
  let known = !dead
  const answer = (): Incoming => ({ status: 200, header: () => String(offset), text: () => '' })
  async function request({ method, address, body, signal, onProgress }: Outgoing): Promise<Incoming> {
    if (isDead) fail('offline', {})
    if (signal?.aborted) throw new DOMException('aborted', 'AbortError')
    // The name that the page made up for the upload.
    seen.push(`${method} ${address.replace(/\?upload=[0-9a-f]{48}$/, '')}`)
    const size = body?.size ?? 0
    if (size > refusesOver) throw new BodyRefused(new AppError('too-large', { limit: 0 }))
    if (size > cutsOver) {
      onProgress?.(size * sentBeforeCut)
      fail('offline', {})
    }
    if (size > 0) sizes.push(size)
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
    sizes,
    limit,
    offset: () => offset,
    wake: () => void (isDead = false),
    options: () => ({
      base: '/base',
      headers: () => ({}),
      chunkBytes: 4 * MIB,
      limit,
      retries: 2,
      signal: new AbortController().signal,
      onProgress: () => {},
      pause: async () => {},
      waitUntilReachable: async () => {},
      request,
    }),
  }
}
