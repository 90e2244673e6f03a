import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { manifestOf } from './manifest.ts'
import { deny, type Product, startProduct } from './world.ts'

const OUTSIDE = 'bytes-from-outside'
const DENIED = 'bytes-that-are-denied'
const SECRET = new RegExp(`${OUTSIDE}|${DENIED}`)
/** Whatever is odd in the tree, no call waits for it. */
const SOON_MS = 20_000

let product: Product
let socket: Server
beforeEach(async () => {
  product = await startProduct({ storage: 'local' })
  await product.add('ben', { scope: '/home', rules: [deny('/odd/denied'), deny('/whole')] })
  socket = await plant(product.root)
})
afterEach(async () => {
  await new Promise((closed) => socket.close(closed))
  await product[Symbol.asyncDispose]()
})

/** Every recursive call there is, on the folder of oddities. */
const LOOKS: readonly string[] = [
  '/api/resources/odd',
  '/api/resources/recursive/odd',
  '/api/search/odd/?query=',
  '/api/search/odd/?query=key',
  '/api/usage/odd',
  '/api/raw/odd?algo=zip',
  '/api/raw/odd?algo=tar',
  '/api/raw/odd?algo=tar.gz',
  '/api/raw/?files=/odd&files=/plain.txt&algo=tar',
  ...['pipe', 'socket', 'null', 'zero', 'out', 'out-absolute', 'proc', 'dangling', 'loop-a', 'up', 'to-denied'].flatMap((name) => [
    `/api/raw/odd/${name}`,
    `/api/resources/odd/${name}`,
    `/api/resources/odd/${name}?checksum=sha256`,
    `/api/preview/thumb/odd/${name}`,
    `/api/resources/recursive/odd/${name}`,
  ]),
]

describe('a tree of special nodes: links inside, outside, dangling and circular, a pipe, a socket, devices, hard links and names that are not UTF-8 (A5-3)', () => {
  it(
    'is looked at by every call, which ends, and tells nothing of what is outside or denied (GHSA-8q5j-8wcr-8v2v, GHSA-239w-m3h6-ch8v)',
    async () => {
      const before = manifestOf(product.root)
      for (const address of LOOKS) {
        const answer = await product.ask(address, { who: 'ben', signal: AbortSignal.timeout(SOON_MS) })
        const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
        expect([address, answer.status < 500 || answer.status === 501, SECRET.test(text)]).toEqual([address, true, false])
      }
      expect(manifestOf(product.root)).toEqual(before)
    },
    SOON_MS,
  )

  it('is shown the same way through a link', async () => {
    const before = manifestOf(product.root)
    const { hash } = await product.as('ben').shares.create({ params: { path: at('/odd') }, body: '' })
    for (const address of LOOKS.filter((one) => /raw\/odd|resources\/odd/.test(one))) {
      const tail = address.replace(/^\/api\/(raw|resources)\/odd/, '')
      for (const mount of ['dl', 'share']) {
        const answer = await product.ask(`/api/public/${mount}/${hash}${tail}`, { signal: AbortSignal.timeout(SOON_MS) })
        const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
        expect([address, answer.status < 500, SECRET.test(text)]).toEqual([address, true, false])
      }
    }
    expect(manifestOf(product.root)).toEqual(before)
  })

  it('is copied, packed, moved and deleted without touching anything outside or denied (GHSA-77x8-73f4-5485, CVE-2026-55498)', async () => {
    const outside = () => manifestOf(join(product.root, 'outside'))
    const denied = () => manifestOf(join(product.root, 'home/whole'))
    const before = [outside(), denied()]
    const change = async (method: string, address: string) =>
      (await product.ask(address, { method, who: 'ben', signal: AbortSignal.timeout(SOON_MS) })).status
    // What a rule denies in it keeps the whole of it where it is.
    const whole = manifestOf(join(product.root, 'home/odd'))
    expect(await change('PATCH', '/api/resources/odd?action=rename&destination=/moved')).toBe(403)
    expect(await change('DELETE', '/api/resources/odd')).toBe(403)
    expect(manifestOf(join(product.root, 'home/odd'))).toEqual(whole)
    await product.setRules('ben', [deny('/whole')])
    expect(await change('PATCH', '/api/resources/odd?action=copy&destination=/copied')).toBe(200)
    const body = JSON.stringify({ kind: 'pack', paths: ['/odd'], destination: '/packed.zip', format: 'zip' })
    expect((await product.ask('/api/jobs', { method: 'POST', who: 'ben', body })).status).toBe(200)
    await jobsEnded(product)
    expect(await product.read('/home/packed.zip')).not.toContain(OUTSIDE)
    expect(await change('PATCH', '/api/resources/odd?action=rename&destination=/moved')).toBe(200)
    for (const folder of ['copied', 'moved']) expect(await change('DELETE', `/api/resources/${folder}`)).toBe(200)
    expect([outside(), denied()]).toEqual(before)
    expect(product.logged.filter((line) => line.includes('incident'))).toEqual([])
  }, 300_000)
})

/** Needs root, as devices do; without, it fails and says so. */
async function plant(root: string): Promise<Server> {
  const odd = join(root, 'home/odd')
  for (const folder of ['outside/deep', 'home/odd/denied', 'home/odd/inside/deep', 'home/whole'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['outside/key.txt', 'outside/deep/key.txt', 'home/whole/key.txt']) writeFileSync(join(root, file), OUTSIDE)
  writeFileSync(join(odd, 'denied/key.txt'), DENIED)
  for (const file of ['plain.txt', 'odd/a.txt', 'odd/A.txt', 'odd/inside/deep/b.txt', `odd/${'n'.repeat(255)}`])
    writeFileSync(join(root, 'home', file), 'plain')
  writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), Buffer.from([0xff, 0xfe, 0x61])]), 'no text')
  linkSync(join(odd, 'a.txt'), join(odd, 'twin.txt'))
  const links = {
    in: 'inside',
    up: '..',
    out: '../../outside',
    'out-absolute': join(root, 'outside'),
    proc: '/proc/self/root',
    dangling: '../../outside/not-yet',
    'loop-a': 'loop-b',
    'loop-b': 'loop-a',
    'to-denied': 'denied',
    'to-whole': '../whole/key.txt',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(odd, name))
  run('mkfifo', join(odd, 'pipe'))
  run('mknod', join(odd, 'null'), 'c', '1', '3')
  run('mknod', join(odd, 'zero'), 'c', '1', '5')
  const server = createServer()
  await new Promise<void>((listening) => server.listen(join(odd, 'socket'), listening))
  return server
}

async function jobsEnded({ db }: Product): Promise<void> {
  const open = () => db.selectFrom('jobs').select('id').where('state', 'in', ['waiting', 'running']).executeTakeFirst()
  while ((await open()) !== undefined) await Bun.sleep(5)
}

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args)
  if (status !== 0) throw new Error(`${command}: ${String(stderr)}`)
}
