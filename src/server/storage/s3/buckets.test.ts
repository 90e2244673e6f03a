import { afterAll, afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { joinPath, parseFilePath as at, ROOT } from '../../../shared/file-path.ts'
import { failure, read, sortedNames, write } from '../test-samples.ts'
import { createS3Client, type S3Client } from './client.ts'
import { S3_LIMITS, type S3Options } from './options.ts'
import { createS3Storage, type S3Storage } from './s3.ts'
import { type FaultProxy, startFaultProxy } from './test-s3-proxy.ts'
import { startS3Service, temporaryFolder } from './test-s3-service.ts'

const MIB = 1024 ** 2
const service = await startS3Service()
afterAll(() => service.stop())

let proxy: FaultProxy
let prefix: string
let client: S3Client
let storage: S3Storage
let options: S3Options
let log: string[]
let dispose: () => void
beforeEach(async () => {
  proxy = await startFaultProxy(service.endpoint)
  const temporary = temporaryFolder()
  dispose = temporary.dispose
  prefix = `bucket/${crypto.randomUUID()}`
  log = []
  options = { ...service, endpoint: proxy.endpoint, prefix, folder: temporary.folder, server: 'test', log: (line) => void log.push(line) }
  client = createS3Client(options, S3_LIMITS)
  storage = createS3Storage(options)
})
afterEach(async () => {
  await proxy.stop()
  dispose()
})

/** As another program does it. */
const plant = (key: string, body = 'x', headers: Record<string, string> = {}) =>
  client.send({ method: 'PUT', key: `${prefix}/${key}`, body: new TextEncoder().encode(body), headers })

describe('objects of other programs', () => {
  it('have folders by implication, which stay when they lose their last file', async () => {
    await plant('a/b/c.txt', 'content')
    expect(await storage.stat(at('/a/b'))).toMatchObject({ kind: 'folder' })
    expect(sortedNames(await storage.list(at('/a')))).toEqual(['b'])
    expect(await read(storage, at('/a/b/c.txt'))).toBe('content')
    await storage.move(at('/a/b/c.txt'), at('/d.txt'), { replace: false })
    expect(sortedNames(await storage.list(at('/a/b')))).toEqual([])
    await plant('e/f', 'x')
    await storage.keep(at('/e/f'), { area: 'trash', volume: ROOT, id: '1' })
    expect(await storage.stat(at('/e'))).toMatchObject({ kind: 'folder' })
    await plant('g/h', 'x')
    await storage.remove(at('/g/h'))
    expect(sortedNames(await storage.list(ROOT))).toEqual(['a', 'd.txt', 'e', 'g'])
  })

  it('are left out where their keys cannot be names, which is logged once', async () => {
    await plant('fine')
    const odd = !service.isDisk ? ['double//slash', '/slash', 'x'.repeat(256)] : []
    for (const key of odd) await plant(key)
    expect(sortedNames(await storage.list(ROOT))).toEqual(odd.length > 0 ? ['double', 'fine'] : ['fine'])
    await storage.list(ROOT)
    expect(log.filter((line) => line.includes('left out'))).toHaveLength(odd.length > 0 ? 1 : 0)
  })

  it('show the file where a file and a folder have one name', async () => {
    if (service.isDisk) return expect(await failure(plant('both').then(() => plant('both/in')))).not.toBe('none')
    await plant('both')
    await plant('both/in')
    expect(await storage.stat(at('/both'))).toMatchObject({ kind: 'file' })
    const { names, modes } = await storage.list(ROOT)
    expect([[...names], (modes[0] ?? 0) & 0o170000]).toEqual([['both'], 0o100000])
  })

  it('keep their type and metadata when they are moved, also in parts', async () => {
    const parted = createS3Storage({ ...options, limits: { copyBytes: 5 * MIB } })
    for (const [name, size] of [
      ['small', 10],
      ['large', 11 * MIB],
    ] as const) {
      await plant(name, 'x'.repeat(size), { 'content-type': 'text/x-test', 'x-amz-meta-mtime': '1.5' })
      proxy.seen()
      await parted.move(at(`/${name}`), at(`/moved-${name}`), { replace: false })
      expect(proxy.seen().filter((kind) => kind === 'COPY part')).toHaveLength(name === 'large' ? 3 : 0)
      const { headers } = await client.send({ method: 'HEAD', key: `${prefix}/moved-${name}` })
      expect([headers.get('content-type'), headers.get('x-amz-meta-mtime'), headers.get('content-length')]).toEqual([
        'text/x-test',
        '1.5',
        String(size),
      ])
    }
  })

  it('are not decoded, whatever encoding they name', async () => {
    const packed = Bun.gzipSync(new TextEncoder().encode('content'))
    await client.send({ method: 'PUT', key: `${prefix}/packed`, body: packed, headers: { 'content-encoding': 'gzip' } })
    await using file = await storage.open(at('/packed'))
    expect(file.stat.size).toBe(packed.length)
    expect(new TextDecoder().decode(Bun.gunzipSync(Uint8Array.from(await file.peek(0, packed.length))))).toBe('content')
  })

  it('are the same node in a listing and by themselves', async () => {
    await plant('a')
    const stat = await storage.stat(at('/a'))
    const { identities, modified, sizes } = await storage.list(ROOT, { identities: true })
    expect([identities?.at(0), modified[0], sizes[0]]).toEqual([stat?.identity ?? '', stat?.modified ?? 0, stat?.size ?? 0])
  })
})

describe('a folder of more objects than one answer lists', () => {
  it('is listed, counted and dropped as a whole', async () => {
    const names = Array.from({ length: 1100 }, (_, index) => `${index}`)
    for (let from = 0; from < names.length; from += 50) await Promise.all(names.slice(from, from + 50).map((name) => plant(`many/${name}`)))
    expect((await storage.list(at('/many'))).names.length).toBe(names.length)
    await storage.keep(at('/many'), { area: 'trash', volume: ROOT, id: '1' })
    expect(sortedNames(await storage.list(ROOT))).toEqual([])
    const progress: number[] = []
    await storage.dropKept({ area: 'trash', volume: ROOT, id: '1' }, { onProgress: (removed) => void progress.push(removed) })
    expect(progress.at(-1)).toBe(names.length + 1)
  }, 60_000)
})

describe('requests', () => {
  /** Those of one operation; what is asked once at each start is over. */
  async function costOf(work: () => Promise<unknown>): Promise<string[]> {
    proxy.seen()
    await work()
    return proxy.seen().toSorted()
  }

  it('are as few as docs/s3.md says', async () => {
    await write(storage, at('/first'), 'x')
    await storage.makeFolder(at('/d'))
    const upload = async (): Promise<void> => {
      const staged = storage.stage('new', { near: at('/d/a'), isNew: true })
      await staged.append(new Uint8Array(3))
      await staged.commit(at('/d/a'), { replace: false })
    }
    expect(await costOf(upload)).toEqual(['HEAD', 'LIST', 'LIST', 'PUT'])
    expect(await costOf(() => storage.list(at('/d')))).toEqual(['LIST'])
    expect(await costOf(() => read(storage, at('/d/a')))).toEqual(['GET', 'HEAD'])
    expect(await costOf(() => storage.move(at('/d/a'), at('/d/b'), { replace: false }))).toEqual(
      ['HEAD', 'LIST', 'HEAD', 'LIST', 'COPY', 'DELETE'].toSorted(),
    )
    expect(await costOf(() => storage.remove(at('/d/b')))).toEqual(['DELETE', 'HEAD'])
    expect(await costOf(() => storage.makeFolder(at('/e')))).toEqual(['HEAD', 'LIST', 'PUT'])
  })

  it('of a download are two: the walk to it knows what opening it needs', async () => {
    await write(storage, at('/a'), 'content')
    const cost = await costOf(async () => {
      using handle = await storage.find(at('/a'), { within: ROOT, leaf: 'follow' })
      await using file = await storage.open(handle)
      expect(await new Response(file.stream(0, 7)).text()).toBe('content')
    })
    expect(cost).toEqual(['GET', 'HEAD'])
  })
})

describe('a signed address', () => {
  it('shows a file without a sign-in, under a name to save it, until it ends', async () => {
    const path = joinPath(ROOT, 'a b+c.txt')
    await write(storage, path, 'content')
    const direct = createS3Storage({ ...options, endpoint: service.endpoint })
    const url = await direct.signedUrl(path, { seconds: 60, saveAs: 'ä b.txt' })
    const response = await fetch(url, { headers: { range: 'bytes=0-2' } })
    expect([response.status, await response.text()]).toEqual([206, 'con'])
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%A4%20b.txt")
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('60')
    expect(url).not.toContain(service.credentials.secretAccessKey)
    expect(await failure(direct.signedUrl(at('/.satchel/trash'), { seconds: 60 }))).toBe('not-found')
  })
})
