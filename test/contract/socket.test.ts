import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { eventually, type RawConnection, openFiles, openConnection } from './raw-connection.ts'
import { ROOT } from '../../src/shared/file-path.ts'
import { readReply, speak } from './wire.ts'
import { EVERYTHING, type Product, startProduct } from './world.ts'

const MEBIBYTE = 1024 * 1024
const TEXT = 'abcdefghijklmnopqrstuvwxyz'

let product: Product
let token: string
beforeEach(async () => {
  product = await startProduct({ storage: 'local' })
  token = await product.signIn('ann')
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

const ask = (line: string, headers: Record<string, string> = {}, body = '') =>
  speak(product.port, line, { headers: { 'x-auth': token, ...headers }, body })

describe('a download over a real port', () => {
  it('has the right length, whole, in part, and for HEAD', async () => {
    await product.seed({ '/a.txt': TEXT, '/empty': '' })
    const whole = await ask('GET /api/raw/a.txt')
    expect([whole.status, whole.headers.get('content-length'), whole.body]).toEqual([200, '26', TEXT])
    const part = await ask('GET /api/raw/a.txt', { range: 'bytes=3-5' })
    expect([part.status, part.headers.get('content-length'), part.headers.get('content-range'), part.body]).toEqual([
      206,
      '3',
      'bytes 3-5/26',
      'def',
    ])
    const head = await ask('HEAD /api/raw/a.txt')
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, '26', ''])
    const headOfPart = await ask('HEAD /api/raw/a.txt', { range: 'bytes=3-5' })
    expect([headOfPart.headers.get('content-length'), headOfPart.body]).toEqual(['26', ''])
    const empty = await ask('GET /api/raw/empty', { range: 'bytes=0-' })
    expect([empty.status, empty.headers.get('content-length'), empty.body]).toEqual([200, '0', ''])
  })

  it('sends several ranges as multipart', async () => {
    await product.seed({ '/a.txt': TEXT })
    const { status, headers, text } = await ask('GET /api/raw/a.txt', { range: 'bytes=0-1,-2' })
    // Without the lines in which each chunk tells its length.
    const body = text.replaceAll(/(^|\r\n)[0-9a-f]+\r\n(?=--|ab|yz)/g, '')
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([206, 'multipart/byteranges'])
    expect(body).toContain('content-range: bytes 0-1/26\r\n\r\nab\r\n')
    expect(body).toContain('content-range: bytes 24-25/26\r\n\r\nyz\r\n')
  })

  it('answers HEAD of every reading call like GET', async () => {
    await product.seed({ '/a.txt': TEXT, '/film.srt': '1\n00:00:01,000 --> 00:00:02,000\nx\n' })
    for (const address of [
      '/api/resources/',
      '/api/resources/a.txt',
      '/api/usage/',
      '/api/subtitle/film.srt',
      '/api/raw/a.txt',
      '/api/raw/none',
      '/api/none',
    ]) {
      const get = await ask(`GET ${address}`)
      const head = await ask(`HEAD ${address}`)
      const told = ({ status, headers }: typeof get) => ({ address, status, type: headers.get('content-type') })
      expect(told(head)).toEqual(told(get))
      expect(head.body).toBe('')
    }
  })

  it('leaves no descriptor open, however it ends', async () => {
    await product.seed({ '/a.txt': TEXT, '/film.srt': '1\n00:00:01,000 --> 00:00:02,000\nx\n' })
    const { headers } = await ask('HEAD /api/raw/a.txt')
    const many: [string, Record<string, string>][] = [
      ['GET /api/raw/a.txt', {}],
      ['GET /api/raw/a.txt', { range: 'bytes=1-2' }],
      ['GET /api/raw/a.txt', { range: 'bytes=1-2,5-6' }],
      ['GET /api/raw/a.txt', { range: 'bytes=99-' }],
      ['GET /api/raw/a.txt', { 'if-none-match': headers.get('etag') ?? '' }],
      ['GET /api/raw/a.txt', { 'if-match': '"x"' }],
      ['GET /api/raw/a.txt', { 'service-worker': 'script' }],
      ['HEAD /api/raw/a.txt', {}],
      ['GET /api/raw/a.txt?inline=true', {}],
      ['GET /api/resources/a.txt', {}],
      ['GET /api/resources/a.txt?checksum=sha256', {}],
      ['GET /api/resources/a.txt', { 'x-encoding': 'true' }],
      ['GET /api/subtitle/film.srt', {}],
      ['GET /api/resources/', {}],
      ['GET /api/resources/recursive/', {}],
    ]
    for (const [line, more] of many) await ask(line, more)
    const before = await eventually(openFiles, () => true)
    for (let round = 0; round < 10; round++) for (const [line, more] of many) await ask(line, more)
    expect(await eventually(openFiles, (now) => now <= before)).toBeLessThanOrEqual(before)
  })

  it('leaves no descriptor open when it is aborted', async () => {
    await big('/film.mkv', 32)
    await breakOff('GET /api/raw/film.mkv')
    const before = await eventually(openFiles, () => true)
    for (let i = 0; i < 10; i++) {
      await breakOff('GET /api/raw/film.mkv')
      await breakOff('GET /api/raw/film.mkv', 'range: bytes=0-20000000,20000001-30000000\r\n')
      await breakOff('GET /api/resources/film.mkv?checksum=sha512')
    }
    expect(await eventually(openFiles, (now) => now <= before)).toBeLessThanOrEqual(before)
  })

  it('does not delay others and is complete when it is read slowly', async () => {
    await big('/film.mkv', 24)
    using connection = await openConnection(product.port)
    connection.write(request('GET /api/raw/film.mkv', 'connection: close\r\n'))
    await connection.read(1000)
    for (let i = 0; i < 5; i++) {
      expect((await ask('GET /api/resources/')).status).toBe(200)
      await Bun.sleep(20)
    }
    const all = await connection.rest()
    expect(all.length - (all.indexOf('\r\n\r\n') + 4)).toBe(24 * MEBIBYTE)
  })

  it('of a file that shrinks meanwhile is incomplete, and releases its resources', async () => {
    await big('/film.mkv', 32)
    await ask('HEAD /api/raw/film.mkv')
    const before = openFiles()
    {
      using connection = await openConnection(product.port)
      connection.write(request('GET /api/raw/film.mkv'))
      await connection.read(1000)
      await truncate(join(product.root, 'film.mkv'), 1000)
      const came = await Promise.race([connection.rest().catch(() => null), Bun.sleep(300).then(() => null)])
      expect(came?.length ?? 0).toBeLessThan(32 * MEBIBYTE)
      expect((await ask('GET /api/raw/film.mkv')).headers.get('content-length')).toBe('1000')
    }
    expect(await eventually(openFiles, (now) => now <= before)).toBeLessThanOrEqual(before)
  })
})

describe('an upload over a real port', () => {
  it('leaves no file, staging or descriptor when it is aborted', async () => {
    await halfAnUpload('POST /api/resources/docs/a.bin')
    const before = await eventually(openFiles, () => true)
    for (let i = 0; i < 8; i++) await halfAnUpload(`POST /api/resources/docs/${i}.bin`)
    expect(await eventually(openFiles, (now) => now <= before)).toBeLessThanOrEqual(before)
    expect(Object.keys(await product.snapshot()).filter((path) => path.endsWith('.bin'))).toEqual([])
  })

  it('keeps the old file when it is aborted (R10)', async () => {
    await product.seed({ '/a.bin': 'old' })
    await halfAnUpload('PUT /api/resources/a.bin')
    await halfAnUpload('POST /api/resources/a.bin?override=true')
    expect(await product.read('/a.bin')).toBe('old')
  })

  it('creates no file from unfinished or malformed chunks', async () => {
    for (const end of ['', '5\r\nab', 'zz\r\n', '-1\r\n']) {
      using connection = await openConnection(product.port)
      connection.write(`${request('POST /api/resources/a.bin', 'transfer-encoding: chunked\r\n')}5\r\nhello\r\n${end}`)
      await Bun.sleep(50)
    }
    expect(
      await eventually(
        () => product.storage.staged(),
        (ids) => ids.length === 0,
      ),
    ).toEqual([])
    expect(Object.keys(await product.snapshot())).toEqual(['staged'])
  })

  it('creates a file from complete chunks', async () => {
    using connection = await openConnection(product.port)
    connection.write(
      `${request('POST /api/resources/a.bin', 'transfer-encoding: chunked\r\nconnection: close\r\n')}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`,
    )
    expect(readReply((await connection.rest()).toString()).status).toBe(200)
    expect(await product.read('/a.bin')).toBe('hello world')
  })

  it('is invisible until its last byte has arrived', async () => {
    using connection = await openConnection(product.port)
    connection.write(request('POST /api/resources/a.bin', 'content-length: 10\r\nconnection: close\r\n'))
    connection.write('hello')
    await Bun.sleep(50)
    expect((await ask('GET /api/resources/a.bin')).status).toBe(404)
    expect(JSON.parse((await ask('GET /api/resources/')).body)).toMatchObject({ items: [] })
    connection.write('world')
    expect(readReply((await connection.rest()).toString()).status).toBe(200)
    expect(await product.read('/a.bin')).toBe('helloworld')
  })

  it('by tus keeps the received bytes when it is aborted, and resumes', async () => {
    await ask('POST /api/tus/a.bin', { 'upload-length': '4000000' })
    {
      using connection = await openConnection(product.port)
      connection.write(
        request('PATCH /api/tus/a.bin', 'content-type: application/offset+octet-stream\r\nupload-offset: 0\r\ncontent-length: 4000000\r\n'),
      )
      connection.write(new Uint8Array(2_000_000))
      await eventually(stagedBytes, (bytes) => bytes > 0)
    }
    const at = await eventually(
      () => offset(),
      (now) => now === 2_000_000,
    )
    expect(at).toBe(2_000_000)
    expect((await ask('GET /api/resources/a.bin')).status).toBe(404)
    const body = 'x'.repeat(4_000_000 - at)
    const last = await ask('PATCH /api/tus/a.bin', { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }, body)
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '4000000'])
    expect((await product.read('/a.bin')).length).toBe(4_000_000)
  })
})

describe('a client that disconnects', () => {
  it('during a download, an upload or a checksum causes no unexpected error', async () => {
    await big('/film.mkv', 32)
    await breakOff('GET /api/raw/film.mkv')
    await breakOff('GET /api/resources/film.mkv?checksum=sha512')
    await halfAnUpload('POST /api/resources/a.bin')
    await Bun.sleep(100)
    expect(product.logged.filter((line) => line.includes('incident'))).toEqual([])
  })
})

describe('a connection', () => {
  it('is reused or closed after a refused body', async () => {
    await product.add('reader', { may: { ...EVERYTHING, create: false } })
    const reader = await product.signIn('reader')
    for (const who of ['nobody', reader, token]) {
      using connection = await openConnection(product.port)
      const size = 300_000
      await product.seed({ '/taken.bin': 'old' })
      connection.write(`POST /api/resources/taken.bin HTTP/1.1\r\nhost: x\r\nx-auth: ${who}\r\ncontent-length: ${size}\r\n\r\n`)
      connection.write(new Uint8Array(size))
      connection.write(`GET /api/raw/taken.bin HTTP/1.1\r\nhost: x\r\nx-auth: ${token}\r\nconnection: close\r\n\r\n`)
      const text = (await connection.rest()).toString()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      expect(['401', '403', '409']).toContain(statuses[0] ?? '')
      expect(statuses.slice(1).every((status) => status === '200')).toBe(true)
      expect(await product.read('/taken.bin')).toBe('old')
    }
  })

  it('serves many requests in a row, also pipelined ones', async () => {
    await product.seed({ '/a.txt': TEXT })
    using connection = await openConnection(product.port)
    connection.write(request('GET /api/raw/a.txt').repeat(5))
    connection.write(request('GET /api/raw/a.txt', 'connection: close\r\n'))
    const text = (await connection.rest()).toString()
    expect(text.split(TEXT).length - 1).toBe(6)
  })
})

function request(line: string, more = ''): string {
  return `${line} HTTP/1.1\r\nhost: satchel.test\r\nx-auth: ${token}\r\n${more}\r\n`
}

async function breakOff(line: string, more = ''): Promise<void> {
  using connection: RawConnection = await openConnection(product.port)
  connection.write(request(line, more))
  if (line.includes('/raw/')) await connection.read(1000)
  else await Bun.sleep(5)
}

/** Gone as soon as a part of it is here. @returns when nothing of it is staged any more */
async function halfAnUpload(line: string): Promise<void> {
  {
    using connection = await openConnection(product.port)
    connection.write(request(line, 'content-length: 4000000\r\n'))
    connection.write(new Uint8Array(2_000_000))
    expect(await eventually(stagedBytes, (bytes) => bytes > 0)).toBeGreaterThan(0)
  }
  expect(
    await eventually(
      () => product.storage.staged(),
      (ids) => ids.length === 0,
    ),
  ).toEqual([])
}

async function stagedBytes(): Promise<number> {
  const ids = await product.storage.staged()
  const sizes = await Promise.all(ids.map((id) => product.storage.stage(id, { near: ROOT }).size()))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** A file of so many mebibytes that takes no room. */
async function big(path: string, mebibytes: number): Promise<void> {
  await product.seed({ [path]: '' })
  await truncate(join(product.root, path), mebibytes * MEBIBYTE)
}

async function offset(): Promise<number> {
  return Number((await ask('HEAD /api/tus/a.bin')).headers.get('upload-offset'))
}
