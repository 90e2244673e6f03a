import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { dav, davStatus, LOCK_BODY, propfindBody } from './dav-calls.ts'
import { PASSWORD, type Product, startProduct } from './world.ts'

setDefaultTimeout(300_000)

let product: Product
let home = ''
beforeAll(async () => {
  product = await startProduct({ storage: 'local' })
  home = await mkdtemp(join(tmpdir(), 'satchel-dav-'))
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
})

const address = () => `http://127.0.0.1:${product.port}/dav/`

async function run(command: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([...command], { cwd: home, env: { ...process.env, HOME: home, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [text, problems, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { code, text: text + problems }
}

describe('real programs', () => {
  it('litmus, the conformance test of WebDAV, passes whole', async () => {
    const { code, text } = await run(['litmus', '-k', address(), 'ann', PASSWORD])
    const summaries = Array.from(text.matchAll(/summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed/g), (found) =>
      found.slice(1),
    )
    expect(summaries).toEqual([
      ['basic', '16', '16', '0'],
      ['copymove', '13', '13', '0'],
      ['props', '30', '30', '0'],
      ['locks', '41', '41', '0'],
      ['http', '4', '4', '0'],
    ])
    expect([code, /FAIL|WARNING/.test(text)]).toEqual([0, false])
  })

  it('rclone copies a tree there and back, with several transfers at once', async () => {
    const secret = (await run(['rclone', 'obscure', PASSWORD])).text.trim()
    const env = {
      RCLONE_CONFIG: join(home, 'rclone.conf'),
      RCLONE_CONFIG_S_TYPE: 'webdav',
      RCLONE_CONFIG_S_URL: address(),
      RCLONE_CONFIG_S_VENDOR: 'other',
      RCLONE_CONFIG_S_USER: 'ann',
      RCLONE_CONFIG_S_PASS: secret,
    }
    await mkdir(join(home, 'tree/deep/folder'), { recursive: true })
    const files = { 'a.txt': 'a', 'deep/ü & <b>.txt': 'b', 'deep/folder/empty': '', 'deep/folder/100%.bin': 'x'.repeat(300_000) }
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, 'tree', name), text)
    const go = async (...words: string[]) => expect((await run(['rclone', ...words], env)).code).toBe(0)
    await go('copy', 'tree', 's:rclone/there', '--transfers', '8')
    await go('moveto', 's:rclone/there', 's:rclone/moved')
    await go('copy', 's:rclone/moved', 'back')
    await go('check', 'tree', 'back')
    for (const [name, text] of Object.entries(files)) expect(await Bun.file(join(home, 'back', name)).text()).toBe(text)
    await go('purge', 's:rclone')
  })

  it('curl stores with Expect: 100-continue and in chunks, and resumes', async () => {
    await writeFile(join(home, 'big.bin'), Buffer.alloc(3_000_000, 7))
    const curl = (...words: string[]) => run(['curl', '-sS', '-f', '--anyauth', '-u', `ann:${PASSWORD}`, ...words])
    expect(await curl('-T', 'big.bin', '-H', 'Expect: 100-continue', `${address()}curl.bin`)).toEqual({ code: 0, text: '' })
    expect(await curl('-T', 'big.bin', '-H', 'Transfer-Encoding: chunked', `${address()}chunked.bin`)).toEqual({ code: 0, text: '' })
    expect((await curl('-o', 'part', '-r', '0-999', `${address()}curl.bin`)).code).toBe(0)
    expect((await curl('-o', 'part', '-C', '-', `${address()}chunked.bin`)).code).toBe(0)
    expect((await Bun.file(join(home, 'part')).bytes()).length).toBe(3_000_000)
  })
})

/** As their documentation and traces describe them: what the programs send, one request after the other, and what they need to go on. */
describe('recorded requests', () => {
  it('macOS Finder: a resource fork, an empty file first, a lock, then chunks of a told length', async () => {
    const agent = { 'user-agent': 'WebDAVFS/3.0.0 (03008000) Darwin/22.1.0 (x86_64)' }
    const status = (call: string, headers: Record<string, string> = {}, body?: Bun.BodyInit) =>
      davStatus(product, call, { headers: { ...agent, ...headers }, ...(body !== undefined && { body }) })
    const chunks = () => new Blob(['the content']).stream()
    expect(await status('OPTIONS /')).toBe(200)
    expect(await status('PROPFIND /', { depth: '0' }, propfindBody('quota-available-bytes', 'quota-used-bytes'))).toBe(207)
    expect(await status('MKCOL /finder/')).toBe(201)
    for (const name of ['._report.txt', 'report.txt', '.DS_Store']) {
      expect(await status(`PROPFIND /finder/${name}`, { depth: '0' })).toBe(404)
      expect(await status(`PUT /finder/${name}`, { 'content-length': '0' }, '')).toBe(201)
      const locked = await dav(product, `LOCK /finder/${name}`, {
        headers: { ...agent, depth: '0', timeout: 'Second-600' },
        body: LOCK_BODY,
      })
      const token = locked.headers.get('lock-token') ?? ''
      expect([locked.status, /<D:timeout>Second-600</.test(await locked.text())]).toEqual([200, true])
      expect(await status(`PUT /finder/${name}`, { if: `(${token})`, 'x-expected-entity-length': '11' }, chunks())).toBe(204)
      expect(await status(`PROPFIND /finder/${name}`, { depth: '0' })).toBe(207)
      expect(await status(`UNLOCK /finder/${name}`, { 'lock-token': token })).toBe(204)
    }
    expect(await product.read('/finder/report.txt')).toBe('the content')
    expect(await status('MOVE /finder/report.txt', { destination: `${address()}finder/final.txt`, overwrite: 'F' })).toBe(201)
    // The fork is removed when it is not needed any more.
    expect(await status('DELETE /finder/._report.txt')).toBe(204)
    // An empty first file leaves no version behind.
    const { versions } = await product.as('ann').versions.list({ params: { path: '/finder/final.txt' as never } })
    expect(versions).toEqual([])
  })

  it('Windows Explorer: attributes as properties of its own, after a lock and an empty file', async () => {
    const agent = { 'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045', translate: 'f' }
    const status = (call: string, headers: Record<string, string> = {}, body?: Bun.BodyInit) =>
      davStatus(product, call, { headers: { ...agent, ...headers }, ...(body !== undefined && { body }) })
    const options = await dav(product, 'OPTIONS /', { headers: agent })
    expect([options.headers.get('dav'), options.headers.get('ms-author-via')]).toEqual(['1, 2, 3', 'DAV'])
    expect(await status('PROPFIND /', { depth: '0' }, '')).toBe(207)
    expect(await status('MKCOL /explorer')).toBe(201)
    expect(await status('PUT /explorer/report.docx', { 'content-length': '0' }, '')).toBe(201)
    const owner = LOCK_BODY.replace('Word', '<D:href>DESKTOP\\ann</D:href>')
    const locked = await dav(product, 'LOCK /explorer/report.docx', { headers: { ...agent, timeout: 'Second-3600' }, body: owner })
    const token = locked.headers.get('lock-token') ?? ''
    const attributes =
      '<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32CreationTime>Fri, 27 Nov 2026 01:00:00 GMT</Z:Win32CreationTime><Z:Win32LastModifiedTime>Fri, 27 Nov 2026 01:00:00 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>'
    expect(await status('PROPPATCH /explorer/report.docx', { if: `(${token})` }, attributes)).toBe(207)
    expect(await status('PUT /explorer/report.docx', { if: `(${token})` }, 'a document')).toBe(204)
    expect(await status('LOCK /explorer/report.docx', { if: `(${token})`, timeout: 'Second-3600' })).toBe(200)
    expect(await status('UNLOCK /explorer/report.docx', { 'lock-token': token })).toBe(204)
    const told = await dav(product, 'PROPFIND /explorer', { headers: { ...agent, depth: '1' } })
    expect(await told.text()).toMatch(/<D:getcontentlength>10<.*<Win32FileAttributes xmlns="urn:schemas-microsoft-com:">00000020</s)
    expect(await status('MOVE /explorer', { destination: `${address()}explorer2`, overwrite: 'F' })).toBe(201)
  })
})
