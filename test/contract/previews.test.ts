import { mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import sharp from 'sharp'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import { heic, jpeg, photoWithin, png, silentMp3WithCover } from './pictures.ts'
import { deny, EVERYTHING, onEachStorage, type Product, startProduct } from './world.ts'

// A process starts in each of them, on a machine that may have other things to do.
setDefaultTimeout(300_000)

const thumb = (product: Product, path: string, init: RequestInit & { who?: string } = {}) =>
  product.ask(`/api/preview/thumb${path}?inline=true`, { who: 'ann', ...init })
const big = (product: Product, path: string, init: RequestInit & { who?: string } = {}) =>
  product.ask(`/api/preview/big${path}?inline=true`, { who: 'ann', ...init })

/** What came: status, type by header, type and dimensions by the bytes. */
async function shown(response: Response): Promise<unknown[]> {
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) return [response.status]
  const { format, width, height } = await sharp(bytes).metadata()
  return [response.status, response.headers.get('content-type'), format, width, height]
}

onEachStorage((product) => {
  it('returns a square thumbnail and a screen-sized image with the right media type', async () => {
    await product().seed({ 'a.jpg': await jpeg(1500, 1000), 'b.png': await png(40, 20), 'clear.png': await png(400, 300, { alpha: 0.5 }) })
    expect(await shown(await thumb(product(), '/a.jpg'))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    expect(await shown(await big(product(), '/a.jpg'))).toEqual([200, 'image/jpeg', 'jpeg', 1080, 720])
    expect(await shown(await thumb(product(), '/b.png'))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    expect(await shown(await big(product(), '/b.png'))).toEqual([200, 'image/jpeg', 'jpeg', 40, 20])
    expect(await shown(await big(product(), '/clear.png'))).toEqual([200, 'image/webp', 'webp', 400, 300])
  })

  it('applies the EXIF orientation and removes all other metadata', async () => {
    const turned = await sharp(await jpeg(400, 200))
      .withExif({ IFD0: { Copyright: 'the owner' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    await product().seed({ 'a.jpg': turned })
    const response = await big(product(), '/a.jpg')
    const bytes = Buffer.from(await response.clone().arrayBuffer())
    expect(await shown(response)).toEqual([200, 'image/jpeg', 'jpeg', 200, 400])
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  })

  it('shows the upright embedded image of a RAW photo, also if the sensor data is a JPEG', async () => {
    const photo = photoWithin({ small: await jpeg(160, 120), large: await jpeg(1600, 1200), orientation: 8 })
    await product().seed({ 'a.nef': photo, 'b.CR2': photo, 'c.dng': photo })
    for (const name of ['a.nef', 'b.CR2', 'c.dng']) {
      expect(await shown(await big(product(), `/${name}`))).toEqual([200, 'image/jpeg', 'jpeg', 810, 1080])
      expect(await shown(await thumb(product(), `/${name}`))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    }
  })

  it('shows TIFF, WebP, AVIF, SVG and HEIC', async () => {
    const image = sharp(await jpeg(600, 300))
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="red"/></svg>'
    await product().seed({
      'a.tiff': await image.clone().tiff({ compression: 'lzw' }).toBuffer(),
      'b.webp': await image.clone().webp().toBuffer(),
      'c.avif': await image.clone().avif({ effort: 0 }).toBuffer(),
      'd.svg': svg,
      'e.heic': await heic(),
    })
    for (const name of ['a.tiff', 'b.webp', 'c.avif']) {
      expect([name, ...(await shown(await big(product(), `/${name}`)))]).toEqual([name, 200, 'image/jpeg', 'jpeg', 600, 300])
    }
    expect(await shown(await thumb(product(), '/d.svg'))).toEqual([200, 'image/webp', 'webp', 256, 256])
    expect(await shown(await big(product(), '/e.heic'))).toEqual([200, 'image/jpeg', 'jpeg', 96, 64])
  })

  it('serves animations and browser-only formats unchanged', async () => {
    const gif = await sharp(await png(30, 30))
      .gif()
      .toBuffer()
    await product().seed({ 'a.gif': gif, 'b.ico': 'icon' })
    expect(await shown(await big(product(), '/a.gif'))).toEqual([200, 'image/gif', 'gif', 30, 30])
    expect(await shown(await thumb(product(), '/a.gif'))).toEqual([200, 'image/gif', 'gif', 30, 30])
    expect(await (await thumb(product(), '/b.ico')).text()).toBe('icon')
  })

  it('is cached by the client and not sent again', async () => {
    await product().seed({ 'a.png': await png(40, 20) })
    const first = await thumb(product(), '/a.png')
    const etag = first.headers.get('etag') ?? ''
    expect([first.headers.get('cache-control'), first.headers.get('x-content-type-options')]).toEqual(['private', 'nosniff'])
    expect(first.headers.get('content-security-policy')).toContain('sandbox')
    const again = await thumb(product(), '/a.png', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    await product().seed({ 'a.png': await png(50, 20) })
    const changed = await thumb(product(), '/a.png', { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  it('returns 501 without an image, 404 for a missing file, and 400 for an unknown size', async () => {
    await product().seed({
      'a.txt': 'text',
      'folder/': '',
      'empty.jpg': '',
      'wrong.jpg': 'no image at all',
      'wrong.heic': 'xxxxftypheic and then nothing',
    })
    for (const name of ['/a.txt', '/folder', '/empty.jpg', '/wrong.jpg', '/wrong.heic', '']) {
      expect([name, (await thumb(product(), name)).status]).toEqual([name, 501])
    }
    expect((await thumb(product(), '/nothing.jpg')).status).toBe(404)
    expect((await product().ask('/api/preview/huge/a.jpg', { who: 'ann' })).status).toBe(400)
  })

  it('is saved under a name with the right extension, unless it is inline', async () => {
    await product().seed({ 'a.png': await png(4, 4) })
    const response = await product().ask('/api/preview/thumb/a.png', { who: 'ann' })
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''a.png.jpg")
    expect(response.headers.get('content-type')).toBe('image/jpeg')
  })

  it('requires the download permission, and is not found for hidden files (GHSA-67cg-cpj7-qgc9, GHSA-7w29-q235-57m9)', async () => {
    await product().seed({ 'secret/a.png': await png(4, 4), 'b.png': await png(4, 4) })
    await product().link('alias.png', 'secret/a.png')
    expect((await thumb(product(), '/alias.png')).status).toBe(200)
    await product().setRules('ann', [deny('/secret')])
    expect((await thumb(product(), '/secret/a.png')).status).toBe(404)
    expect((await thumb(product(), '/alias.png')).status).toBe(404)
    await product().setRights('ann', { ...EVERYTHING, download: false })
    const refused = await thumb(product(), '/b.png')
    expect([refused.status, await refused.text()]).toEqual([202, '202 Accepted\n'])
  })

  it('does not open files or URLs named in an image', async () => {
    const reached: string[] = []
    using trap = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => (reached.push(request.url), new Response('')) })
    const svg = (inside: string, head = '') =>
      `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">${inside}</svg>`
    const blue = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const folder = await mkdtemp(join(tmpdir(), 'svg-'))
    await writeFile(join(folder, 'blue.png'), blue)
    const image = (href: string) => `<image width="64" height="64" xlink:href="${href}"/>`
    await product().seed({
      'file.svg': svg(image(`file://${folder}/blue.png`)),
      'net.svg': svg(image(`http://127.0.0.1:${trap.port}/x.png`)),
      'entity.svg': svg('<text y="20">&xxe;</text>', '<!DOCTYPE svg [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>'),
      'laughs.svg': svg(
        '<text>&e;</text>',
        `<!DOCTYPE svg [<!ENTITY a "haha">${[...'bcde'].map((name, i) => `<!ENTITY ${name} "${`&${'abcd'[i]};`.repeat(50)}">`).join('')}]>`,
      ),
    })
    const answer = await thumb(product(), '/file.svg')
    const { channels } = await sharp(Buffer.from(await answer.arrayBuffer())).stats()
    expect(channels[2]?.max ?? 0).toBe(0)
    for (const name of ['/net.svg', '/entity.svg', '/laughs.svg']) expect([200, 413, 501]).toContain((await thumb(product(), name)).status)
    expect(reached).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('refuses decompression bombs, and shows what can be decoded of a damaged image (A5-7)', async () => {
    const whole = await jpeg(800, 600)
    await product().seed({
      'wide.png': hollowPng(16_384, 16_384),
      'wider.png': hollowPng(100_000, 100_000),
      'huge.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><rect width="9" height="9"/></svg>',
      'broken.jpg': whole.subarray(0, whole.length / 2),
      'mislabelled.jpg': await png(30, 30),
      'good.jpg': whole,
    })
    for (const name of ['/wide.png', '/wider.png']) expect([name, (await thumb(product(), name)).status]).toEqual([name, 413])
    expect([200, 413]).toContain((await thumb(product(), '/huge.svg')).status)
    expect(await shown(await thumb(product(), '/broken.jpg'))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    expect(await shown(await thumb(product(), '/mislabelled.jpg'))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    expect((await thumb(product(), '/good.jpg')).status).toBe(200)
  })
})

describe('previews by external programs', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct({ storage: 'local' })
  })
  afterAll(() => product[Symbol.asyncDispose]())

  it('shows a frame of a video, whatever its name', async () => {
    const film = new Uint8Array(await Bun.file(join(import.meta.dir, '../e2e/samples/film.webm')).arrayBuffer())
    await product.seed({ '-i $(id).webm': film, 'not.mp4': 'no film' })
    expect(await shown(await thumb(product, '/-i%20%24%28id%29.webm'))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    expect((await thumb(product, '/not.mp4')).status).toBe(501)
  })

  it('does not read a playlist named like a video (GHSA-m682-v4g9-wrq7)', async () => {
    await product.seed({ 'list.mp4': '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n' })
    expect((await thumb(product, '/list.mp4')).status).toBe(501)
  })

  it('Home-made: shows the top of a page, where invoices differ', async () => {
    await product.seed({ 'invoice.pdf': darkHead() })
    const { channels } = await sharp(Buffer.from(await (await thumb(product, '/invoice.pdf')).arrayBuffer())).stats()
    // The middle of the page is half white.
    expect(channels[0]?.mean).toBeLessThan(60)
  })

  it('shows the first page of a PDF, and the cover of an audio file', async () => {
    await product.seed({ 'a.pdf': onePage(), 'a.mp3': await silentMp3WithCover(), 'b.mp3': 'no sound' })
    expect(await shown(await thumb(product, '/a.pdf'))).toEqual([200, 'image/jpeg', 'jpeg', 256, 256])
    expect(await shown(await big(product, '/a.mp3'))).toEqual([200, 'image/jpeg', 'jpeg', 64, 64])
    expect((await thumb(product, '/b.mp3')).status).toBe(501)
  })

  it('never opens a pipe', async () => {
    Bun.spawnSync(['mkfifo', join(product.root, 'pipe.jpg')])
    expect((await thumb(product, '/pipe.jpg')).status).toBe(501)
  })

  it('creates a new image for a file that is replaced within the same second (R13)', async () => {
    const at = new Date(1_700_000_000_000)
    await product.seed({ 'same.png': await png(30, 30) })
    await utimes(join(product.root, 'same.png'), at, at)
    const before = (await thumb(product, '/same.png')).headers.get('etag')
    await rm(join(product.root, 'same.png'))
    await product.seed({ 'same.png': await png(30, 30) })
    await utimes(join(product.root, 'same.png'), at, at)
    expect((await thumb(product, '/same.png')).headers.get('etag')).not.toBe(before)
  })

  it('are cancelled when no client waits for them', async () => {
    const bytes = await jpeg(2000, 1500)
    const names = Array.from({ length: 12 }, (_, i) => `wait ${i}.jpg`)
    await product.seed(Object.fromEntries(names.map((name) => [name, bytes])))
    const abort = new AbortController()
    const asked = names.map((name) => thumb(product, `/${encodeURIComponent(name)}`, { signal: abort.signal }).catch(() => 'gone'))
    const first = await Promise.race(asked)
    abort.abort()
    expect(first).toBeInstanceOf(Response)
    // The last of them was never begun: whoever asks now is not behind it.
    expect((await Promise.all(asked)).filter((one) => one === 'gone').length).toBeGreaterThan(0)
    while (!product.logged.some((line) => line.includes('wait') && line.includes('503'))) await Bun.sleep(5)
    expect((await thumb(product, '/wait%200.jpg')).status).toBe(200)
  })

  it('refuses an image that is too large, before reading it', async () => {
    await product.seed({ 'long.tif': 'x' })
    await truncate(join(product.root, 'long.tif'), 1024 ** 3)
    expect((await thumb(product, '/long.tif')).status).toBe(413)
  })
})

it('serves original images if thumbnails and smaller images are disabled', async () => {
  await using product = await startProduct({ thumbnails: false, previewResize: false })
  await product.seed({
    'a.png': await png(300, 200),
    'b.tif': await sharp(await png(300, 200))
      .tiff()
      .toBuffer(),
    'c.mp4': 'film',
  })
  expect(await shown(await thumb(product, '/a.png'))).toEqual([200, 'image/png', 'png', 300, 200])
  expect(await shown(await big(product, '/a.png'))).toEqual([200, 'image/png', 'png', 300, 200])
  expect((await shown(await big(product, '/b.tif')))[1]).toBe('image/jpeg')
  expect((await thumb(product, '/c.mp4')).status).toBe(501)
})

it('runs no programs without a sandbox, and still shows images', async () => {
  await using product = await startProduct({ storage: 'local', sandbox: createBubblewrap({ program: '/nowhere/bwrap' }) })
  await product.seed({ 'a.png': await png(300, 200), 'a.pdf': onePage() })
  expect((await thumb(product, '/a.png')).status).toBe(200)
  expect((await thumb(product, '/a.pdf')).status).toBe(501)
})

/** A PNG that says it is so large and holds a few bytes, all of them zero. */
function hollowPng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.writeUInt32BE(Bun.hash.crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(10_000_000))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

/** A page twice as high as wide, black above its middle. */
function darkHead(): string {
  const drawn = '0 0 0 rg 0 100 100 100 re f'
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Contents 4 0 R>>'
  return `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj${page}endobj\n4 0 obj<</Length ${drawn.length}>>stream\n${drawn}\nendstream endobj\ntrailer<</Root 1 0 R>>\n`
}

function onePage(): string {
  return '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\ntrailer<</Root 1 0 R>>\n'
}
