import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeSync, fstatSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { sendFile, type ServedFile, whileOpen } from './bytes.ts'
import { contentDisposition, type SendOptions } from './file-headers.ts'
import { errorResponse } from './errors.ts'
import { createRouter } from './router.ts'

const ETAG = '"v1"'
const TEXT = 'abcdefghijklmnopqrstuvwxyz'
const CHANGED = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const CHANGED_TEXT = 'Fri, 02 Jan 2026 03:04:05 GMT'

describe.each([
  ['from memory', fromMemory],
  ['from disk', fromDisk],
])('a file as a response, %s', (_, open) => {
  let server: ReturnType<typeof serve>
  beforeAll(() => (server = serve(open)))
  afterAll(() => server.stop(true))

  const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(server.url, { headers, method })

  it('is complete without conditions, with validators for later requests', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(TEXT)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private',
      'content-disposition': "attachment; filename*=utf-8''a.html",
      'content-length': '26',
      'content-type': 'application/octet-stream',
      etag: ETAG,
      'last-modified': CHANGED_TEXT,
      'x-content-type-options': 'nosniff',
    })
  })

  it.each([
    ['bytes=0-3', 'abcd', 'bytes 0-3/26'],
    ['bytes=-3', 'xyz', 'bytes 23-25/26'],
    ['bytes=24-', 'yz', 'bytes 24-25/26'],
    ['bytes=20-999', 'uvwxyz', 'bytes 20-25/26'],
  ])('RFC 9110 14.4: %s is that part', async (range, text, contentRange) => {
    const response = await get({ range })
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([206, text, contentRange])
    expect(response.headers.get('content-length')).toBe(String(text.length))
  })

  it('RFC 9110 15.3.7.2: several ranges are sent as multipart/byteranges', async () => {
    const response = await get({ range: 'bytes=0-1,-2' })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBeNull()
    const boundary = /^multipart\/byteranges; boundary=(\S+)$/.exec(response.headers.get('content-type') ?? '')?.[1]
    const part = (range: string, text: string) =>
      `--${boundary}\r\ncontent-type: application/octet-stream\r\ncontent-range: bytes ${range}/26\r\n\r\n${text}\r\n`
    expect(await response.text()).toBe(`${part('0-1', 'ab')}${part('24-25', 'yz')}--${boundary}--\r\n`)
  })

  it('RFC 9110 15.5.17: a range beyond the end is 416 with the size', async () => {
    const response = await get({ range: 'bytes=26-' })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */26'])
    expect(await response.text()).toBe('416 Requested Range Not Satisfiable\n')
  })

  it.each(['bytes=5-2', 'bytes=abc', 'items=0-3', 'bytes=0-9,5-6'])('RFC 9110 14.2: %s returns the whole file', async (range) => {
    const response = await get({ range })
    expect([response.status, await response.text()]).toEqual([200, TEXT])
  })

  it.each([
    [ETAG, 206],
    ['"v2"', 200],
    [`W/${ETAG}`, 200],
    [CHANGED_TEXT, 206],
    ['Fri, 02 Jan 2026 03:04:06 GMT', 200],
    ['yesterday', 200],
  ])('RFC 9110 13.1.5: If-Range %s is %i', async (validator, status) => {
    const response = await get({ range: 'bytes=0-3', 'if-range': validator })
    expect([response.status, await response.text()]).toEqual([status, status === 206 ? 'abcd' : TEXT])
  })

  it.each([
    [{ 'if-none-match': ETAG }, 304],
    [{ 'if-none-match': `"x", W/${ETAG}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-modified-since': CHANGED_TEXT }, 304],
    [{ 'if-modified-since': 'Fri Jan  2 03:04:05 2026' }, 304],
    [{ 'if-modified-since': 'Friday, 02-Jan-26 03:04:05 GMT' }, 304],
    [{ 'if-modified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' }, 200],
    [{ 'if-modified-since': 'tomorrow' }, 200],
    [{ 'if-none-match': '"x"', 'if-modified-since': CHANGED_TEXT }, 200],
    [{ 'if-match': ETAG }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': `W/${ETAG}` }, 412],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-unmodified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' }, 412],
    [{ 'if-unmodified-since': CHANGED_TEXT }, 200],
    [{ 'if-none-match': ETAG, range: 'bytes=0-3' }, 304],
  ] as [Record<string, string>, number][])('RFC 9110 13.2.2: %o is %i', async (headers, status) => {
    const response = await get(headers)
    expect(response.status).toBe(status)
    if (status === 304) expect([await response.text(), response.headers.get('etag')]).toEqual(['', ETAG])
  })

  it('RFC 9110 9.3.2: HEAD returns the same headers without a body, for any range', async () => {
    const response = await get({ range: 'bytes=0-3' }, 'HEAD')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '26', ''])
    expect(response.headers.get('etag')).toBe(ETAG)
  })

  it.each(['bytes=0-3', 'bytes=-5', 'bytes=0-'])('sends an empty file for %s', async (range) => {
    const response = await fetch(`${server.url.href}empty`, { headers: { range } })
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', ''])
  })

  it('serves HTML with a sandbox policy that runs no scripts (CVE-2023-39612, GHSA-3vcg-pv95-pq54)', async () => {
    const response = await fetch(`${server.url.href}inline`)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe("inline; filename*=utf-8''a.html")
    expect(response.headers.get('content-security-policy')).toStartWith("sandbox; default-src 'none';")
    expect(response.headers.get('content-security-policy')).not.toContain('allow-')
  })

  it('serves PDF with the same policy without sandbox, which the viewer requires', async () => {
    const policy = (await fetch(`${server.url.href}pdf`)).headers.get('content-security-policy')
    expect(policy).toStartWith("default-src 'none'")
    expect(policy).toContain("script-src 'none'")
  })

  it('serves no script as a service worker (CVE-2021-37794, A4-11)', async () => {
    expect((await get({ 'service-worker': 'script' })).status).toBe(403)
  })
})

describe('an interrupted download', () => {
  const big = join(mkdtempSync(join(tmpdir(), 'bytes-')), 'big')
  let server: ReturnType<typeof serve>
  beforeAll(() => {
    writeFileSync(big, Buffer.alloc(64 * 1024 * 1024, 'x'))
    server = serve(() => openFile(big))
  })
  afterAll(async () => {
    await server.stop(true)
    rmSync(big)
  })

  it('closes its descriptor when the client disconnects', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => leaveEarly(server.port ?? 0, i % 2 === 0 ? '' : 'Range: bytes=0-9,20-60000000\r\n')),
    )
    await until(() => openDescriptors(big) === 0)
  })

  it('closes its descriptor after responses without a body', async () => {
    const ask = (init: RequestInit) => fetch(server.url, init).then((response) => response.text())
    await ask({ method: 'HEAD' })
    await ask({ headers: { 'if-none-match': ETAG } })
    await ask({ headers: { 'if-match': '"x"' } })
    await ask({ headers: { range: 'bytes=99999999-' } })
    await until(() => openDescriptors(big) === 0)
  })

  it('is not complete if the file shrinks during the transfer', async () => {
    const socket = await slowRequest(server.port ?? 0)
    truncateSync(big, 1024 * 1024)
    const { announced, received } = await socket.rest()
    expect(announced).toBe(64 * 1024 * 1024)
    expect(received).toBeLessThan(announced)
  })
})

describe('Content-Disposition', () => {
  it.each([
    ['we ird+#%é.txt', 'we%20ird+%23%25%C3%A9.txt'],
    ["it's (1)*,;!.txt", 'it%27s%20%281%29%2A%2C%3B%21.txt'],
    ['a"b\r\nSet-Cookie: x=1', 'a%22b%0D%0ASet-Cookie:%20x=1'],
    ['\udcff\udc80.bin', '%FF%80.bin'],
    ['-_.~$&+=:@', '-_.~$&+=:@'],
  ])('names %j', (name, encoded) => {
    expect(contentDisposition(name, { inline: false })).toBe(`attachment; filename*=utf-8''${encoded}`)
  })
})

type Opener = (text: string) => ServedFile

function serve(open: Opener) {
  const app = createRouter()
  const options: SendOptions = { name: 'a.html', inline: false, contentType: 'text/html; charset=utf-8', etag: ETAG }
  app.get('/', (c) => sendFile(c.request, open(TEXT), options))
  app.get('/empty', (c) => sendFile(c.request, open(''), options))
  app.get('/inline', (c) => sendFile(c.request, open(TEXT), { ...options, inline: true }))
  app.get('/pdf', (c) => sendFile(c.request, open(TEXT), { ...options, inline: true, contentType: 'application/pdf' }))
  app.onError((error) => (error instanceof AppError ? errorResponse(error, '*/*') : new Response(String(error), { status: 500 })))
  return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request, { peer: null }) })
}

function fromMemory(text: string): ServedFile {
  const blob = new Blob([text])
  return {
    stat: { size: blob.size, modified: CHANGED },
    slice: (start, end) => blob.slice(start, end),
    stream: (start, end) => blob.slice(start, end).stream(),
    close: async () => undefined,
  }
}

function fromDisk(text: string): ServedFile {
  const path = join(mkdtempSync(join(tmpdir(), 'bytes-')), 'file')
  writeFileSync(path, text)
  const file = openFile(path)
  return { ...file, stat: { ...file.stat, modified: CHANGED } }
}

function openFile(path: string): ServedFile {
  const fd = openSync(path, 'r')
  const part = (start: number, end: number) => Bun.file(`/proc/self/fd/${fd}`).slice(start, end)
  return {
    stat: { size: fstatSync(fd).size, modified: CHANGED },
    slice: part,
    stream: (start, end) => part(start, end).stream(),
    close: async () => closeSync(fd),
  }
}

/** Until it is so; the runner's own limit ends a wait that never will. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(5)
}

function openDescriptors(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false
    }
  }).length
}

function leaveEarly(port: number, header: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n`))
    socket.once('data', () => socket.destroy())
    socket.once('close', () => resolve())
  })
}

describe('a response created before its handler has ended', () => {
  it('keeps its file open until the handler has ended, and no longer', async () => {
    const file = { ...fromMemory(TEXT), closed: 0, close: async () => void file.closed++ }
    const options: SendOptions = { name: 'a', inline: false, contentType: 'text/plain', etag: ETAG }
    const response = sendFile(new Request('http://satchel.test/'), file, options)
    const round = () => new Promise((resolve) => void setImmediate(resolve))
    await whileOpen(response, async () => void (await round(), await round()))
    expect(file.closed).toBe(0)
    await round()
    expect(file.closed).toBe(1)
  })
})

/** Asks, reads the beginning, and then nothing until `rest` is called. */
function slowRequest(port: number): Promise<{ rest: () => Promise<{ announced: number; received: number }> }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))
    let announced = 0
    let received = 0
    const closed = new Promise<void>((done) => {
      socket.once('close', () => done())
      socket.setTimeout(3000, () => socket.destroy())
    })
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      received += data.length
      if (announced > 0) return
      const head = data.toString('latin1')
      announced = Number(/content-length: (\d+)/i.exec(head)?.[1])
      received -= head.indexOf('\r\n\r\n') + 4
      socket.pause()
      const rest = async () => {
        socket.resume()
        await closed
        return { announced, received }
      }
      setTimeout(() => resolve({ rest }), 100)
    })
  })
}
