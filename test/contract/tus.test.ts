import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { Upload } from 'tus-js-client'
import { parseFilePath } from '../../src/shared/file-path.ts'
import { EVERYTHING, startTusApp, type TusApp, temporaryStorage } from './tus-app.ts'

const HOUR = 3_600_000
const SILENT_MS = 60_000
/** An upload that its client gives a name. */
const NAMED = 'a?upload=mine'
const STAMP = { 'upload-metadata': 'filename YQ==,lastmodified MQ==' }

let app: TusApp
beforeEach(async () => {
  // However busy the machine is, nobody is silent before a test says that time has passed.
  app = await startTusApp({ limits: { silentMs: SILENT_MS, leaseMs: 2 * SILENT_MS } })
})
afterEach(async () => {
  await app[Symbol.asyncDispose]()
})

describe('tus-js-client, unmodified', () => {
  it('uploads a file in one go', async () => {
    const bytes = randomBytes(300_000)
    await app.uploadWith(bytes, 'film.mkv')
    expect(await app.content('film.mkv')).toEqual(bytes)
    expect(await app.storage.staged()).toEqual([])
  })

  it('uploads in chunks, also with the first one in the creation request', async () => {
    const bytes = randomBytes(300_000)
    await app.uploadWith(bytes, 'a', { chunkSize: 70_000 })
    const requests = await app.uploadWith(bytes, 'b', { chunkSize: 100_000, uploadDataDuringCreation: true })
    expect(await app.content('a')).toEqual(bytes)
    expect(await app.content('b')).toEqual(bytes)
    expect(requests).toEqual(['POST', 'PATCH', 'PATCH'])
  })

  it('completes an empty file on creation (R2)', async () => {
    expect(await app.uploadWith(Buffer.alloc(0), 'empty')).toEqual(['POST'])
    expect(await app.content('empty')).toEqual(Buffer.alloc(0))
    expect(await app.storage.staged()).toEqual([])
  })

  it('resumes after a lost connection', async () => {
    const bytes = randomBytes(300_000)
    await app.create('film.mkv', bytes.length)
    await app.dropMidway('film.mkv', bytes, 100_000)
    const requests = await app.uploadWith(bytes, 'film.mkv', { uploadUrl: app.address('film.mkv') })
    expect(await app.content('film.mkv')).toEqual(bytes)
    expect(requests).toEqual(['HEAD', 'PATCH'])
  })

  it('resumes after a restart of the server', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'tus-')), 'db')
    const storage = await temporaryStorage()
    const bytes = randomBytes(300_000)
    {
      await using before = await startTusApp({ file, storage })
      await before.create('film.mkv', bytes.length)
      await before.patch('film.mkv', 0, bytes.subarray(0, 100_000))
    }
    await using after = await startTusApp({ file, storage })
    expect(await after.uploadWith(bytes, 'film.mkv', { uploadUrl: after.address('film.mkv') })).toEqual(['HEAD', 'PATCH'])
    expect(await after.content('film.mkv')).toEqual(bytes)
  })

  it('gets a conflict before it sends a byte, and replaces on request', async () => {
    await app.uploadWith(Buffer.from('old'), 'a.txt')
    const sent: string[] = []
    await expect(app.uploadWith(Buffer.from('new'), 'a.txt', {}, sent)).rejects.toThrow('409')
    expect(sent.every((method) => method === 'POST')).toBe(true)
    await app.uploadWith(Buffer.from('new'), 'a.txt', { endpoint: `${app.address('a.txt')}?override=true` })
    expect(String(await app.content('a.txt'))).toBe('new')
  })

  it('never treats an upload as done that lost its name', async () => {
    app.beforePut = () => app.plant('a.txt', 'somebody else')
    await expect(app.uploadWith(Buffer.from('mine'), 'a.txt')).rejects.toThrow('409')
    expect(String(await app.content('a.txt'))).toBe('somebody else')
    app.beforePut = async () => undefined
    await app.uploadWith(Buffer.from('mine'), 'a.txt', { endpoint: `${app.address('a.txt')}?override=true` })
    expect(String(await app.content('a.txt'))).toBe('mine')
  })

  it('terminates an upload, keeping the existing file', async () => {
    await app.plant('a.txt', 'old')
    await app.create('a.txt?override=true', 10)
    await app.patch('a.txt', 0, '12345')
    await Upload.terminate(app.address('a.txt'))
    expect((await app.head('a.txt')).status).toBe(404)
    expect(await app.storage.staged()).toEqual([])
    expect(String(await app.content('a.txt'))).toBe('old')
  })

  it('gets the offset of a finished upload if it missed the last response', async () => {
    await app.uploadWith(Buffer.from('x'), 'a.txt')
    expect(await app.uploadWith(Buffer.from('x'), 'a.txt', { uploadUrl: app.address('a.txt') })).toEqual(['HEAD'])
  })

  for (const name of [
    '100% a+b?#é.txt',
    ' lead and trail ',
    '..x',
    'a\\b',
    'new\nline',
    '日本.txt',
    'q\'"<>&;=.txt',
    '%2F',
    '%41',
    'recursive/x',
    '\u202Etxt.exe',
  ]) {
    it(`uploads and resumes ${JSON.stringify(name)}`, async () => {
      const bytes = randomBytes(1000)
      await app.uploadWith(bytes, name, { chunkSize: 400 })
      expect(await app.content(name)).toEqual(bytes)
    })
  }
})

describe('clients of the predecessor, without Tus-Resumable', () => {
  it('get 201 with the URL, 204 with the offset, and no upload after the last byte', async () => {
    const created = await app.create('d/a b.txt', 6)
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe('/base/api/tus/d/a%20b.txt')
    expect(await created.text()).toBe('201 Created\n')
    const first = await app.patch('d/a b.txt', 0, 'abc')
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '3'])
    const asked = await app.head('d/a b.txt')
    expect([asked.status, asked.headers.get('upload-offset'), asked.headers.get('upload-length')]).toEqual([200, '3', '6'])
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect((await app.patch('d/a b.txt', 3, 'def')).status).toBe(204)
    expect((await app.head('d/a b.txt')).status).toBe(404)
    expect(String(await app.content('d/a b.txt'))).toBe('abcdef')
  })

  it('get 415, 400, 404 and 409 as before', async () => {
    await app.create('a', 6)
    expect((await app.patch('a', 0, 'abc', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await app.patch('a', 7, 'abc')).status).toBe(400)
    expect((await app.patch('a', -1, 'abc')).status).toBe(400)
    expect((await app.patch('a', 3, 'abc')).status).toBe(409)
    expect((await app.patch('b', 0, 'abc')).status).toBe(404)
    expect((await app.create('folder/', 6)).status).toBe(400)
    await app.storage.makeFolder(parseFilePath('folder'))
    expect([400, 409]).toContain((await app.create('folder?override=true', 6)).status)
  })

  it('without a version stamp start anew, since the next file of that length may differ', async () => {
    await app.create('a', 6)
    await app.patch('a', 0, 'abc')
    await app.create('a', 6)
    expect((await app.head('a')).headers.get('upload-offset')).toBe('0')
  })

  it('R2: that announce one name from two sessions have separate uploads', async () => {
    const [one, other] = [{ 'x-session': 'one' }, { 'x-session': 'other' }]
    await app.create('a', 6, one)
    await app.patch('a', 0, 'abc', one)
    await app.create('a', 6, { ...other, ...STAMP })
    await app.patch('a', 0, 'XYZ', other)
    expect((await app.patch('a', 3, 'def', one)).status).toBe(204)
    expect(String(await app.content('a'))).toBe('abcdef')
    expect((await app.patch('a', 3, 'UVW', other)).status).toBe(409)
    expect(String(await app.content('a'))).toBe('abcdef')
  })

  it('R2: with several unnamed uploads of one session are refused if the upload is ambiguous', async () => {
    await app.create('a', 6)
    await app.patch('a', 0, 'abc')
    await app.create('a', 6, STAMP)
    // Only the younger one stands here.
    expect((await app.patch('a', 0, 'XYZ')).status).toBe(204)
    expect((await app.patch('a', 3, 'def')).status).toBe(412)
    await app.create('b', 3)
    await app.create('b', 9)
    expect((await app.patch('b', 0, 'abc')).status).toBe(412)
    // Whoever was silent for so long does not come back.
    app.ahead = 4 * 60_000
    expect((await app.patch('a', 3, 'UVW')).status).toBe(204)
    expect(String(await app.content('a'))).toBe('XYZUVW')
  })

  it('are identified by path alone after their session was renewed', async () => {
    await app.create('a', 6)
    await app.patch('a', 0, 'abc')
    expect((await app.patch('a', 3, 'def', { 'x-session': 'renewed' })).status).toBe(204)
    expect(String(await app.content('a'))).toBe('abcdef')
  })
})

describe('R2: two clients that announce one name', () => {
  it('have separate uploads by their Location, whatever the order of their bytes', async () => {
    const tus = { 'tus-resumable': '1.0.0' }
    const told = async (length: number, headers = {}) => {
      const { headers: answered } = await app.create('a', length, { ...tus, ...headers })
      return `a?${answered.get('location')?.split('?')[1] ?? 'none'}`
    }
    const [one, other] = [await told(6), await told(3, STAMP)]
    expect(one).not.toBe(other)
    for (const [mine, at, bytes, status] of [
      [one, 0, 'abc', 204],
      [other, 0, 'XY', 204],
      [one, 2, 'XX', 409],
      [other, 2, 'Z', 204],
      [one, 3, 'def', 409],
    ] as const)
      expect([mine, (await app.patch(mine, at, bytes, tus)).status]).toEqual([mine, status])
    expect(String(await app.content('a'))).toBe('XYZ')
    // Told the truth, the other one may still replace it.
    expect((await app.create(`a?override=true&${one.slice(2)}`, 6, tus)).status).toBe(201)
    expect((await app.patch(one, 0, 'abcdef', tus)).status).toBe(204)
    expect(String(await app.content('a'))).toBe('abcdef')
  })

  it('both succeed one after the other as tus clients, or get a conflict', async () => {
    const files = [randomBytes(300_000), randomBytes(300_000)]
    const ends = await Promise.allSettled(files.map((bytes) => app.uploadWith(bytes, 'film', { chunkSize: 70_000, retryDelays: [] })))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = files[ends.findIndex(({ status }) => status === 'fulfilled')]
    expect(await app.content('film')).toEqual(winner ?? Buffer.alloc(0))
  })
})

describe('the protocol', () => {
  it('is described by OPTIONS and by every response', async () => {
    const described = await app.ask('OPTIONS', 'a')
    expect(described.status).toBe(204)
    expect(described.headers.get('tus-version')).toBe('1.0.0')
    expect(described.headers.get('tus-extension')).toBe('creation,creation-with-upload,expiration,termination')
    expect(Number(described.headers.get('tus-max-size'))).toBeGreaterThan(2 ** 40)
    for (const answer of [described, await app.create('a', 3), await app.head('a'), await app.head('none')]) {
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    }
  })

  it('refuses another version and returns its own', async () => {
    const answer = await app.create('a', 3, { 'tus-resumable': '0.2.2' })
    expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    expect((await app.head('a')).status).toBe(404)
  })

  it('returns the metadata and the expiry', async () => {
    await app.create('a', 3, STAMP)
    const answer = await app.head('a')
    expect(answer.headers.get('upload-metadata')).toBe(STAMP['upload-metadata'])
    expect(Date.parse(answer.headers.get('upload-expires') ?? '') - Date.now()).toBeGreaterThan(23 * HOUR)
  })

  it('refuses every length that is not an integer, and keeps the old file (GHSA-ffx7-75gc-jg7c, R2)', async () => {
    await app.plant('a', 'old')
    for (const length of ['-1', '1e9', '+5', '5.0', '9223372036854775808', '0x10', '', '1, 1', 'NaN']) {
      expect((await app.ask('POST', 'a?override=true', { 'upload-length': length })).status).toBe(400)
    }
    expect((await app.ask('POST', 'a?override=true')).status).toBe(400)
    expect(String(await app.content('a'))).toBe('old')
    expect((await app.head('a')).status).toBe(404)
  })

  it('refuses more bytes than announced before reading any (GHSA-ffv3-7h97-993q)', async () => {
    await app.create('a', 10)
    expect((await app.patch('a', 0, '12345678901')).status).toBe(413)
    expect((await app.head('a')).headers.get('upload-offset')).toBe('0')
    await app.patch('a', 0, '12345')
    expect((await app.patch('a', 5, '123456')).status).toBe(413)
    expect((await app.head('a')).headers.get('upload-offset')).toBe('5')
  })

  it('enforces the announced length without Content-Length (GHSA-ffv3-7h97-993q)', async () => {
    await app.create('a', 10)
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })
    expect((await app.patch('a', 0, endless)).status).toBe(413)
    expect((await app.head('a')).headers.get('upload-offset')).toBe('0')
    expect(
      await app
        .drive()
        .stat(parseFilePath('a'))
        .catch(() => null),
    ).toBeNull()
  })

  it('accepts one of twenty parallel writers (GHSA-4r8p-gqj2-mwgm)', async () => {
    const bytes = randomBytes(200_000)
    await app.create('a', bytes.length)
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => app.patch('a', 0, bytes)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409 || status === 423)).toHaveLength(19)
    expect(await app.content('a')).toEqual(bytes)
  })

  it('refuses a second writer while the first is active, and accepts it when the first has stalled', async () => {
    await app.create('a', 1000)
    using line = await app.openLine('a', 1000)
    await line.send(Buffer.alloc(400, 'x'))
    expect((await app.patch('a', 400, 'y'.repeat(600))).status).toBe(423)
    app.ahead = SILENT_MS
    expect((await app.patch('a', 400, 'y'.repeat(600))).status).toBe(204)
    expect(String(await app.content('a'))).toBe('x'.repeat(400) + 'y'.repeat(600))
  })

  it('keeps every byte received before a disconnect, and releases the upload at once', async () => {
    await app.create('a', 1000)
    await app.dropMidway('a', Buffer.alloc(1000), 617)
    expect((await app.head('a')).headers.get('upload-offset')).toBe('617')
    expect((await app.patch('a', 617, Buffer.alloc(383))).status).toBe(204)
  })

  it('reports the offset of a running upload at once, without disturbing it', async () => {
    await app.create('a', 1000)
    using line = await app.openLine('a', 1000)
    for (const at of [1, 400, 999]) {
      await line.send(Buffer.alloc(at - Number((await app.head('a')).headers.get('upload-offset'))))
      // If it waited for the upload's end, it would wait for ever.
      const answer = await app.head('a')
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([200, String(at)])
    }
    await line.send(Buffer.alloc(1))
    expect((await line.answer()).split(' ')[1]).toBe('204')
    expect((await app.content('a')).length).toBe(1000)
  })

  it('reports at once that an upload is being published', async () => {
    const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    app.beforePut = () => (begun.resolve(), slow.promise)
    await app.create('a', 3)
    const last = app.patch('a', 0, 'abc')
    await begun.promise
    // As long as a silent holder may have the lease.
    app.ahead = SILENT_MS
    expect((await app.head('a')).status).toBe(423)
    expect((await app.patch('a', 3, '')).status).toBe(423)
    expect((await app.ask('DELETE', 'a')).status).toBe(423)
    slow.resolve()
    expect((await last).status).toBe(204)
    expect(String(await app.content('a'))).toBe('abc')
  })

  it('allows users without the delete permission to cancel their own uploads only (GHSA-79pf-vx4x-7jmm)', async () => {
    app.may = { ...EVERYTHING, delete: false }
    await app.plant('done', 'x')
    await app.create('a', 10)
    expect((await app.ask('DELETE', 'done')).status).toBe(404)
    expect((await app.ask('DELETE', 'a', { 'x-user': '2' })).status).toBe(404)
    expect((await app.ask('DELETE', 'a')).status).toBe(204)
    expect(String(await app.content('done'))).toBe('x')
  })

  it('allows cancelling while bytes are being received', async () => {
    await app.create('a', 1000)
    using line = await app.openLine('a', 1000)
    await line.send(Buffer.alloc(400))
    expect((await app.ask('DELETE', 'a')).status).toBe(204)
    expect((await line.answer()).split(' ')[1]).toBe('423')
    expect(await app.storage.staged()).toEqual([])
  })

  it('does not allow cancelling a finished upload', async () => {
    await app.uploadWith(Buffer.from('x'), 'a')
    expect((await app.ask('DELETE', 'a', { 'tus-resumable': '1.0.0' })).status).toBe(404)
    expect(String(await app.content('a'))).toBe('x')
  })

  it('separates the uploads of two users to one path (R14)', async () => {
    await app.create('a', 3)
    await app.create('a', 4, { 'x-user': '2' })
    await app.patch('a', 0, 'ab')
    expect((await app.head('a', { 'x-user': '2' })).headers.get('upload-offset')).toBe('0')
  })

  it('requires the create permission, checked again with the last byte', async () => {
    await app.create('a', 3)
    app.may = { ...EVERYTHING, create: false }
    expect((await app.patch('a', 0, 'abc')).status).toBe(403)
    expect((await app.create('b', 3)).status).toBe(403)
  })

  it('refuses in advance what does not fit on the disk', async () => {
    expect((await app.create('a', 2 ** 40)).status).toBe(507)
    expect((await app.head('a')).status).toBe(404)
  })
})

describe('a resumed upload', () => {
  it('continues at the offset of the same file', async () => {
    await app.create(NAMED, 6, STAMP)
    await app.patch(NAMED, 0, 'abc')
    const again = await app.create(NAMED, 6, STAMP)
    expect([again.status, again.headers.get('upload-offset')]).toEqual([201, '3'])
  })

  it('starts anew for another file, and drops the old bytes', async () => {
    await app.create(NAMED, 6, STAMP)
    await app.patch(NAMED, 0, 'abc')
    const other = await app.create(NAMED, 6, { 'upload-metadata': 'filename YQ==,lastmodified Mg==' })
    expect(other.headers.get('upload-offset')).toBe('0')
    expect(await app.storage.staged()).toEqual([])
  })

  it('is published without further bytes if only a name conflict prevented it', async () => {
    await app.create(NAMED, 3, STAMP)
    await app.plant('a', 'old')
    expect((await app.patch(NAMED, 0, 'new')).status).toBe(409)
    expect(String(await app.content('a'))).toBe('old')
    expect((await app.head(NAMED)).status).toBe(409)
    const again = await app.create('a?override=true&upload=mine', 3, STAMP)
    expect([again.status, again.headers.get('upload-offset')]).toEqual([201, '3'])
    expect(String(await app.content('a'))).toBe('new')
  })

  it('is published by a HEAD request if the server was killed before it could', async () => {
    await app.create('a', 3)
    const [{ id }] = (await app.db.selectFrom('uploads').select('id').execute()) as [{ id: string }]
    await (await app.drive().stage(parseFilePath('a'), { id })).append(Buffer.from('abc'))
    await app.db.updateTable('uploads').set({ durable: 3 }).execute()
    expect((await app.head('a')).headers.get('upload-offset')).toBe('3')
    expect(String(await app.content('a'))).toBe('abc')
  })
})

describe('abandoned uploads', () => {
  it('can be resumed for a day and are removed after that', async () => {
    await app.create('a', 6)
    await app.patch('a', 0, 'abc')
    app.ahead = 23 * HOUR
    expect((await app.head('a')).headers.get('upload-offset')).toBe('3')
    app.ahead = 23 * HOUR + 25 * HOUR
    expect((await app.head('a')).status).toBe(404)
    expect((await app.patch('a', 3, 'def')).status).toBe(404)
    expect(await app.sweep()).toEqual({ uploads: 1, orphans: 0 })
    expect(await app.storage.staged()).toEqual([])
  })

  it('are removed without touching the file at their path (GHSA-m9f5-2232-frp6, R2)', async () => {
    await app.plant('a', 'old')
    await app.create('a?override=true', 6)
    await app.patch('a', 0, 'abc')
    app.ahead = 25 * HOUR
    await app.sweep()
    expect(String(await app.content('a'))).toBe('old')
  })

  it('include bytes without an upload, once they are old and idle', async () => {
    const orphan = app.storage.stage('orphan', { near: parseFilePath('/') })
    await orphan.append(Buffer.from('abc'))
    expect(await app.sweep()).toEqual({ uploads: 0, orphans: 0 })
    app.ahead = 25 * HOUR
    await orphan.append(Buffer.from('def'))
    expect(await app.sweep()).toEqual({ uploads: 0, orphans: 0 })
    app.ahead = 50 * HOUR
    expect(await app.sweep()).toEqual({ uploads: 0, orphans: 1 })
    expect(await app.storage.staged()).toEqual([])
  })

  it('R11: include them by their age on the disk, also after a restart', async () => {
    const storage = await temporaryStorage()
    await storage.stage('orphan', { near: parseFilePath('/') }).append(Buffer.from('abc'))
    for (const [ahead, left] of [
      [23 * HOUR, ['orphan']],
      [25 * HOUR, []],
    ] as const) {
      await using restarted = await startTusApp({ storage })
      restarted.ahead = ahead
      for (const _ of [1, 2]) await restarted.sweep()
      expect(await storage.staged()).toEqual([...left])
    }
  })

  it('do not include one that is being written', async () => {
    await using quick = await startTusApp({ limits: { leaseMs: 1500 } })
    await quick.create('a', 1000)
    using line = await quick.openLine('a', 1000)
    await line.send(Buffer.alloc(400))
    quick.ahead = 25 * HOUR
    const leased = async () => (await quick.db.selectFrom('uploads').select('lease_until').executeTakeFirstOrThrow()).lease_until
    while ((await leased()) < Date.now() + 24 * HOUR) await Bun.sleep(5)
    await line.send(Buffer.alloc(100))
    expect(await quick.sweep()).toEqual({ uploads: 0, orphans: 0 })
    await line.send(Buffer.alloc(500))
    expect((await line.answer()).split(' ')[1]).toBe('204')
  })
})

describe('a stalled connection', () => {
  it('is closed after the stall limit, and the received bytes are kept', async () => {
    await using quick = await startTusApp({ limits: { stallMs: 1000 } })
    await quick.create('a', 1000)
    using line = await quick.openLine('a', 1000)
    await line.send(Buffer.alloc(400))
    quick.ahead = 1000
    expect((await line.answer()).split(' ')[1]).toBe('423')
    expect((await quick.head('a')).headers.get('upload-offset')).toBe('400')
    expect((await quick.patch('a', 400, Buffer.alloc(600))).status).toBe(204)
  })
})
