import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'bun:test'
import { createPictureCache } from './cache.ts'
import type { Picture } from './picture.ts'

const DAY_MS = 24 * 3600_000
let folder = ''
let now = 0
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  now = Date.now()
})
afterEach(() => rm(folder, { recursive: true }))

const open = (limitBytes: number) => createPictureCache(join(folder, 'previews'), { limitBytes, clock: () => new Date(now) })
const picture = (length: number): Picture => ({ type: 'image/webp', bytes: new Uint8Array(length) })

it('returns stored pictures, also after a restart, readable by us only', async () => {
  await open(1000).put('abcd', { type: 'image/webp', bytes: Buffer.from('picture') })
  expect(await open(1000).get('abcd')).toEqual({ type: 'image/webp', bytes: Buffer.from('picture') })
  expect(await open(1000).get('abce')).toBeNull()
  expect((await stat(join(folder, 'previews/ab/abcd.webp'))).mode & 0o777).toBe(0o600)
})

it('may be shared by several servers: a picture that they write at once is one of theirs, and whole', async () => {
  const servers = [open(20_000), open(20_000), open(20_000)]
  const versions = [5000, 6000, 7000].map((length, n) => Buffer.alloc(length, n))
  const written = new AbortController()
  const read: number[] = []
  const reading = (async () => {
    while (!written.signal.aborted) {
      const found = await open(20_000).get('abcd')
      if (found === null) continue
      const { length } = found.bytes
      expect(Buffer.from(found.bytes).equals(versions[(length - 5000) / 1000] ?? Buffer.alloc(0))).toBe(true)
      read.push(length)
    }
  })()
  for (let round = 0; round < 30; round++)
    await Promise.all(servers.map((cache, n) => cache.put('abcd', { type: 'image/webp', bytes: versions[n] ?? Buffer.alloc(0) })))
  written.abort()
  await reading
  await Promise.all(servers.map((cache) => cache.sweep()))
  expect(read.length).toBeGreaterThan(10)
  expect((await readdir(join(folder, 'previews'), { recursive: true })).filter((name) => name.endsWith('.part'))).toEqual([])
})

it('removes the least recently used when it is full', async () => {
  const cache = open(1000)
  for (const key of ['aa1', 'bb2', 'cc3']) {
    await cache.put(key, picture(90))
    await cache.get(key)
    now += 60_000
  }
  await settled(() => used('aa', 'aa1'), now - 180_000)
  await cache.get('aa1')
  await settled(() => used('aa', 'aa1'), now)
  await settled(() => used('bb', 'bb2'), now - 120_000)
  await settled(() => used('cc', 'cc3'), now - 60_000)
  const smaller = open(200)
  await smaller.sweep()
  expect([await smaller.get('aa1'), await smaller.get('bb2'), await smaller.get('cc3')].map((one) => one !== null)).toEqual([
    true,
    false,
    true,
  ])
})

it('removes what was unused for a month, and unfinished files of a crash', async () => {
  const cache = open(1000)
  await cache.put('aa1', picture(1))
  await writeFile(join(folder, 'previews/aa/x.part'), 'half')
  now += 2 * DAY_MS
  await cache.sweep()
  expect(await readdir(join(folder, 'previews/aa'))).toEqual(['aa1.webp'])
  now += 30 * DAY_MS
  await cache.sweep()
  expect(await cache.get('aa1')).toBeNull()
})

it('does not fail if nothing can be written', async () => {
  await writeFile(join(folder, 'file'), '')
  const cache = createPictureCache(join(folder, 'file'), { limitBytes: 1000, clock: () => new Date(now) })
  await cache.put('aa1', picture(1))
  await cache.sweep()
  expect(await cache.get('aa1')).toBeNull()
})

async function used(prefix: string, key: string): Promise<number> {
  return (await stat(join(folder, 'previews', prefix, `${key}.webp`))).mtimeMs
}

/** The time of use is noted without anybody waiting for it. */
async function settled(read: () => Promise<number>, expected: number): Promise<void> {
  while (Math.abs((await read()) - expected) > 1) await Bun.sleep(5)
}
