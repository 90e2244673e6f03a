import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { zipOf } from './archive-samples.ts'
import { docx, odt } from './office-samples.ts'
import { type Product, startProduct } from './world.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'

// LibreOffice starts in each of them, on a machine that may have other things to do.
setDefaultTimeout(300_000)

describe('an office document as a PDF', () => {
  let product: Product
  beforeAll(async () => {
    product = await startProduct({ storage: 'local' })
  })
  afterAll(() => product[Symbol.asyncDispose]())

  const pdf = (path: string, init: RequestInit & { who?: string } = {}) =>
    product.ask(`/api/preview/pdf${path}?inline=true`, { who: 'ann', ...init })

  it('has its text, for Word, OpenDocument and rich text, whatever the name', async () => {
    await product.seed({ '-o $(id).docx': docx('Dear Ann'), 'b.RTF': '{\\rtf1 Dear Bob\\par}', 'd.odt': odt('Dear Carol') })
    expect(await textOf(await pdf('/-o%20%24%28id%29.docx'))).toContain('Dear Ann')
    expect(await textOf(await pdf('/b.RTF'))).toContain('Dear Bob')
    expect(await textOf(await pdf('/d.odt'))).toContain('Dear Carol')
  })

  it('is made once, and can be read in ranges', async () => {
    await product.seed({ 'once.docx': docx('Once') })
    const first = await pdf('/once.docx')
    const whole = new Uint8Array(await first.arrayBuffer())
    const again = await pdf('/once.docx', { headers: { range: 'bytes=0-4' } })
    expect(again.status).toBe(206)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await again.text()).toBe('%PDF-')
    expect(again.headers.get('content-range')).toBe(`bytes 0-4/${whole.length}`)
    const known = await pdf('/once.docx', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(known.status).toBe(304)
  })

  it('is refused for what is damaged, empty or no such document, and for pictures of one', async () => {
    await product.seed({ 'broken.docx': zipOf([{ name: 'x', text: 'x' }]), 'empty.docx': '', 'a.txt': 'text', 'a.docx': docx('a') })
    for (const path of ['/broken.docx', '/empty.docx', '/a.txt']) expect([path, (await pdf(path)).status]).toEqual([path, 501])
    expect((await product.ask('/api/preview/thumb/a.docx', { who: 'ann' })).status).toBe(501)
    expect((await pdf('/missing.docx')).status).toBe(404)
  })

  it('fetches nothing that the document names', async () => {
    const asked: string[] = []
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => (asked.push(request.url), new Response('x')) })
    const picture = `<text:p><draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"><draw:image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://127.0.0.1:${server.port}/spy.png" xlink:actuate="onLoad"/></draw:frame></text:p>`
    await product.seed({ 'spy.odt': odt('Dear Dan', picture) })
    expect(await textOf(await pdf('/spy.odt'))).toContain('Dear Dan')
    expect(asked).toEqual([])
  })

  it('is not given to visitors who may only look, or whose downloads are counted', async () => {
    await product.seed({ 'shared.docx': docx('Dear visitor') })
    const share = (wish: object) => product.as('ann').shares.create({ params: { path: at('/shared.docx') }, body: JSON.stringify(wish) })
    const [open, counted, look] = [await share({}), await share({ maxDownloads: 2 }), await share({ rights: 'view' })]
    const visitor = (hash: string) => product.ask(`/api/public/preview/pdf/${hash}/`)
    expect(await textOf(await visitor(open.hash))).toContain('Dear visitor')
    for (const { hash } of [counted, look]) expect((await visitor(hash)).status).toBe(501)
  })
})

async function textOf(response: Response): Promise<string> {
  if (response.status !== 200) return `${response.status} ${await response.text()}`
  expect(response.headers.get('content-type')).toBe('application/pdf')
  const reader = Bun.spawn(['pdftotext', '-', '-'], { stdin: await response.blob(), stdout: 'pipe' })
  return reader.stdout.text()
}
