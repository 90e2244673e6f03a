import { afterAll, afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../../shared/file-path.ts'
import { failure, read, sortedNames, write } from '../test-samples.ts'
import type { S3Limits } from './options.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import { type Fault, type FaultProxy, type SeenRequest, startFaultProxy } from './test-s3-proxy.ts'
import { startMoto, startS3Service, temporaryFolder } from './test-s3-service.ts'

const service = await startS3Service()
afterAll(() => service.stop())

const QUICK: Partial<S3Limits> = { timeoutMs: 1000, attempts: 4, backoffMs: 5, partBytes: 5 * 1024 ** 2 }
const refuse = (status: number, code: string, retryAfter?: number): Fault => ({
  kind: 'refuse',
  status,
  code,
  ...(retryAfter !== undefined && { retryAfter }),
})

let proxy: FaultProxy
let storage: S3Storage
let log: string[]
let dispose: () => void
beforeEach(async () => {
  proxy = await startFaultProxy(service.endpoint)
  const temporary = temporaryFolder()
  dispose = temporary.dispose
  log = []
  storage = createS3Storage({
    ...service,
    endpoint: proxy.endpoint,
    prefix: `faults/${crypto.randomUUID()}`,
    folder: temporary.folder,
    server: 'test',
    limits: QUICK,
    log: (line) => void log.push(line),
  })
})
afterEach(async () => {
  await proxy.stop()
  dispose()
})

/** A fault for the first requests of a kind. */
function first(times: number, fault: Fault, isMeant: (request: SeenRequest) => boolean = () => true): void {
  let left = times
  proxy.setFault((request) => (isMeant(request) && left-- > 0 ? fault : null))
}

const isPut = ({ method, path }: SeenRequest): boolean => method === 'PUT' && !path.includes('.satchel')

describe('a service that fails in passing', () => {
  it('is asked again, and nothing is noticed', async () => {
    for (const fault of [
      refuse(503, 'SlowDown'),
      refuse(500, 'InternalError'),
      refuse(429, 'TooManyRequests'),
      refuse(409, 'OperationAborted'),
    ]) {
      first(2, fault)
      await write(storage, at('/a'), 'content', { replace: true })
      expect(await read(storage, at('/a'))).toBe('content')
    }
  })

  it('is given the time that it asks for', async () => {
    await write(storage, at('/a'), 'x')
    first(1, refuse(503, 'SlowDown', 1))
    const begun = performance.now()
    await storage.stat(at('/a'))
    expect(performance.now() - begun).toBeGreaterThan(990)
  })

  it('is busy in the end, for reading and for writing', async () => {
    await write(storage, at('/a'), 'x')
    proxy.setFault(() => refuse(503, 'SlowDown'))
    expect(await failure(storage.stat(at('/a')))).toBe('storage-busy')
    expect(await failure(storage.list(ROOT))).toBe('storage-busy')
    expect(await failure(write(storage, at('/b'), 'x'))).toBe('storage-busy')
    expect(await failure(storage.remove(at('/a')))).toBe('storage-busy')
    proxy.setFault(() => null)
    expect(await read(storage, at('/a'))).toBe('x')
  })

  it('may not answer at all: each attempt ends', async () => {
    await write(storage, at('/a'), 'x')
    first(1, { kind: 'hang', ms: 3000 })
    const begun = performance.now()
    expect((await storage.stat(at('/a')))?.size).toBe(1)
    expect(performance.now() - begun).toBeLessThan(2500)
  })

  it('may cut an answer: the rest is asked for, and no byte comes twice', async () => {
    const content = Array.from({ length: 20_000 }, (_, index) => `${index}`).join(' ')
    await write(storage, at('/a'), content)
    await using file = await storage.open(at('/a'))
    first(3, { kind: 'cut' })
    expect(await new Response(file.stream(0, file.stat.size)).text()).toBe(content)
  })

  it('may do the work and answer with an error: a new file is not taken for one of somebody else', async () => {
    first(1, { kind: 'after', status: 500 }, isPut)
    await write(storage, at('/a'), 'content')
    expect(await read(storage, at('/a'))).toBe('content')
    expect(await failure(write(storage, at('/a'), 'other'))).toBe('already-exists')
  })

  it('may do the work and answer with an error in every step of a large upload, a move and a removal', async () => {
    const bytes = new Uint8Array(12 * 1024 ** 2).fill(7)
    let count = 0
    proxy.setFault(({ method }) => (method !== 'GET' && method !== 'HEAD' && count++ % 2 === 0 ? { kind: 'after', status: 500 } : null))
    await write(storage, at('/large'), bytes)
    expect(await storage.move(at('/large'), at('/moved'), { replace: false })).toBe(true)
    expect((await storage.stat(at('/moved')))?.size).toBe(bytes.length)
    await storage.remove(at('/moved'))
    expect([...(await storage.list(ROOT)).names]).toEqual([])
    proxy.setFault(() => null)
    // The upload that was begun twice is left to the sweep.
    for (const id of await storage.staged()) await storage.stage(id, { near: ROOT }).discard()
    expect(await storage.staged()).toEqual([])
  })
})

describe('a service that refuses', () => {
  const cases: [Fault, string][] = [
    [refuse(403, 'AccessDenied'), 'forbidden'],
    [refuse(404, 'NoSuchBucket'), 'storage-busy'],
    [refuse(403, 'SignatureDoesNotMatch'), 'storage-busy'],
    [refuse(403, 'RequestTimeTooSkewed'), 'storage-busy'],
    [refuse(301, 'PermanentRedirect'), 'storage-busy'],
    [refuse(507, 'XMinioStorageFull'), 'storage-full'],
    [refuse(403, 'QuotaExceeded'), 'storage-full'],
    [refuse(400, 'KeyTooLongError'), 'invalid-input'],
  ]
  for (const [fault, code] of cases) {
    it(`by ${JSON.stringify(fault)} has its error of the application`, async () => {
      const staged = storage.stage('s', { near: ROOT })
      await staged.append(new Uint8Array(3))
      proxy.setFault(() => fault)
      expect(await failure(staged.commit(at('/a'), { replace: true }))).toBe(code)
      proxy.setFault(() => null)
      expect(await staged.size()).toBe(3)
    })
  }

  it('a bucket that is not there is away, never empty', async () => {
    proxy.setFault(() => refuse(404, 'NoSuchBucket'))
    expect(await failure(storage.list(ROOT))).toBe('storage-busy')
    expect(await failure(storage.stat(at('/a')))).toBe('storage-busy')
  })

  it('what an operator has to mend is logged once, without secrets', async () => {
    proxy.setFault(() => refuse(403, 'SignatureDoesNotMatch'))
    await failure(storage.list(ROOT))
    await failure(storage.list(ROOT))
    expect(log).toHaveLength(1)
    expect(log[0]).toContain('SignatureDoesNotMatch')
    for (const secret of [service.credentials.secretAccessKey, 'Credential=', 'Signature=']) expect(log.join()).not.toContain(secret)
  })

  it('follows no redirect', async () => {
    let isAsked = false
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => ((isAsked = true), new Response('<ListBucketResult/>')) })
    const away = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.redirect(`http://127.0.0.1:${other.port}/`, 307) })
    const { folder, dispose: remove } = temporaryFolder()
    const redirected = createS3Storage({ ...service, endpoint: `http://127.0.0.1:${away.port}`, folder, server: 'test', limits: QUICK })
    expect(await failure(redirected.list(ROOT))).toBe('storage-busy')
    expect(isAsked).toBe(false)
    await Promise.all([other.stop(true), away.stop(true)])
    remove()
  })
})

describe('a service that ignores conditions', () => {
  it('is found out, and names are claimed before anything is written', async () => {
    // What a proxy takes away is signed, and only moto does not mind.
    const moto = await startMoto()
    const between = await startFaultProxy(moto.endpoint)
    between.setFault(() => ({ kind: 'ignore conditions' }))
    const { folder, dispose: remove } = temporaryFolder()
    const overwriting = createS3Storage({ ...moto, endpoint: between.endpoint, folder, server: 'test', log: (line) => void log.push(line) })
    await write(overwriting, at('/a'), 'first')
    expect(await failure(write(overwriting, at('/a'), 'second'))).toBe('already-exists')
    const codes = await Promise.all(Array.from({ length: 6 }, (_, index) => failure(write(overwriting, at('/b'), `${index}`))))
    expect(codes.toSorted()).toEqual([...Array.from({ length: 5 }, () => 'already-exists'), 'none'])
    expect(log.join()).toContain('ignores If-None-Match')
    await Promise.all([between.stop(), moto.stop()])
    remove()
  })
})

describe('an upload', () => {
  const PART = 5 * 1024 ** 2

  it('keeps the bytes of a part that the service does not take', async () => {
    const staged = storage.stage('u', { near: at('/a') })
    const whole = Buffer.alloc(2 * PART + 100, 'abcdefg')
    proxy.setFault(({ query }) => (query.get('partNumber') === '2' ? refuse(503, 'SlowDown') : null))
    expect(await failure(staged.append(whole))).toBe('storage-busy')
    expect(await staged.size()).toBe(whole.length)
    proxy.setFault(() => null)
    await staged.commit(at('/a'), { replace: false })
    await using file = await storage.open(at('/a'))
    expect(Buffer.compare(await file.peek(0, whole.length), whole)).toBe(0)
  })

  it('stays staged when its publication fails in the middle', async () => {
    const whole = Buffer.alloc(2 * PART + 100, 'abcdefg')
    const staged = storage.stage('u', { near: at('/a') })
    await staged.append(whole)
    proxy.setFault(({ headers }) => (headers.has('x-amz-copy-source') ? refuse(503, 'SlowDown') : null))
    expect(await failure(staged.commit(at('/a'), { replace: false }))).toBe('storage-busy')
    proxy.setFault(() => null)
    expect(await staged.size()).toBe(whole.length)
    await staged.append(new TextEncoder().encode('!'))
    await staged.commit(at('/a'), { replace: false })
    expect(sortedNames(await storage.list(ROOT))).toEqual(['a'])
    expect((await read(storage, at('/a'))).endsWith('!')).toBe(true)
  })
})
