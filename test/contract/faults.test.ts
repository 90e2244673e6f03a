import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { EVERYTHING, type Product, startProduct } from './world.ts'

const KIBIBYTE = 1024
const OFFSET_BYTES = { 'content-type': 'application/offset+octet-stream' }
const FULL = { code: 'storage-full', detail: {} }

/** These mount and set attributes, so they need root (in CI: a container with SYS_ADMIN); without, they fail and say so. */
describe('a disk of one mebibyte (A5-5)', () => {
  let folder: string
  let product: Product
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'satchel-disk-'))
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', folder)
    product = await startProduct({ storage: { folder } })
    await product.seed({ '/old.bin': 'old' })
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })

  const ask = (method: string, address: string, init: RequestInit = {}) => {
    const headers = { accept: 'application/json', ...Object.fromEntries(new Headers(init.headers)) }
    return product.ask(address, { who: 'ann', ...init, method, headers })
  }
  const tooMuch = new Uint8Array(2048 * KIBIBYTE).fill(7)
  const half = new Uint8Array(600 * KIBIBYTE).fill(7)

  async function unchanged(operation: Promise<Response>): Promise<void> {
    const before = await product.snapshot()
    const response = await operation
    expect([response.status, await response.json()]).toEqual([507, FULL])
    expect(await product.snapshot()).toEqual(before)
  }

  it('refuses an upload that does not fit, and keeps no part of it', async () => {
    await unchanged(ask('POST', '/api/resources/new.bin', { body: tooMuch }))
    expect(free(folder)).toBeGreaterThan(900 * KIBIBYTE)
  })

  it('keeps the old file when the new one does not fit', async () => {
    await unchanged(ask('PUT', '/api/resources/old.bin', { body: tooMuch }))
    await unchanged(ask('POST', '/api/resources/old.bin?override=true', { body: tooMuch }))
    expect(await product.read('/old.bin')).toBe('old')
  })

  it('refuses a copy that does not fit, and leaves no part of it', async () => {
    await ask('POST', '/api/resources/half.bin', { body: half })
    await unchanged(ask('PATCH', '/api/resources/half.bin?action=copy&destination=/copy.bin'))
    await unchanged(ask('PATCH', '/api/resources/half.bin?action=copy&destination=/old.bin&override=true'))
  })

  it('copies complete files of a folder that does not fit, and reports that it is full', async () => {
    await ask('POST', '/api/resources/docs/a.txt', { body: 'a' })
    await ask('POST', '/api/resources/docs/b.bin', { body: half })
    const response = await ask('PATCH', '/api/resources/docs?action=copy&destination=/copy')
    expect([response.status, await response.json()]).toEqual([507, FULL])
    expect(await product.storage.staged()).toEqual([])
    expect(Object.keys(await product.snapshot())).not.toContain('/copy/b.bin')
  })

  it('refuses an announced upload that cannot fit before a byte is sent', async () => {
    await unchanged(ask('POST', '/api/tus/new.bin', { headers: { 'upload-length': String(tooMuch.length) } }))
  })

  it('keeps a partial tus upload when it fills up, and resumes when there is space', async () => {
    expect((await ask('POST', '/api/tus/new.bin', { headers: { 'upload-length': String(half.length) } })).status).toBe(201)
    writeFileSync(join(folder, 'other'), half)
    const refused = await ask('PATCH', '/api/tus/new.bin', { body: half, headers: { ...OFFSET_BYTES, 'upload-offset': '0' } })
    expect([refused.status, await refused.json()]).toEqual([507, FULL])
    const at = Number((await ask('HEAD', '/api/tus/new.bin')).headers.get('upload-offset'))
    expect(at).toBeLessThan(half.length)
    rmSync(join(folder, 'other'))
    const rest = await ask('PATCH', '/api/tus/new.bin', {
      body: half.subarray(at),
      headers: { ...OFFSET_BYTES, 'upload-offset': String(at) },
    })
    expect(rest.status).toBe(204)
    expect((await product.read('/new.bin')).length).toBe(half.length)
  })

  it('still serves, moves and removes when it is full', async () => {
    await ask('POST', '/api/resources/half.bin', { body: half })
    writeFileSync(join(folder, 'filler'), new Uint8Array(Math.max(0, free(folder))))
    expect((await ask('POST', '/api/resources/x.bin', { body: tooMuch })).status).toBe(507)
    expect((await ask('GET', '/api/raw/half.bin')).status).toBe(200)
    expect((await ask('GET', '/api/resources/')).status).toBe(200)
    expect((await ask('PATCH', '/api/resources/half.bin?action=rename&destination=/moved.bin')).status).toBe(200)
    expect((await ask('DELETE', '/api/resources/moved.bin?permanent=true')).status).toBe(200)
    expect((await ask('POST', '/api/resources/x.bin', { body: 'fits now' })).status).toBe(200)
  })

  it('is never an unexpected error', async () => {
    await ask('POST', '/api/resources/new.bin', { body: tooMuch })
    await ask('PUT', '/api/resources/old.bin', { body: tooMuch })
    expect(incidents(product)).toEqual([])
  })
})

describe('a disk that refuses changes (A5-5)', () => {
  let product: Product
  beforeEach(async () => {
    product = await startProduct({ storage: 'local' })
    await product.seed({ '/kept/a.txt': 'old', '/b.txt': 'b' })
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
  })

  const ask = (method: string, address: string, init: RequestInit = {}) => product.ask(address, { who: 'ann', ...init, method })

  async function refusesChanges(): Promise<void> {
    const before = await product.snapshot()
    const operations: [string, string, RequestInit?][] = [
      ['POST', '/api/resources/kept/new.txt', { body: 'new' }],
      ['POST', '/api/resources/kept/new/'],
      ['POST', '/api/resources/kept/a.txt?override=true', { body: 'new' }],
      ['PUT', '/api/resources/kept/a.txt', { body: 'new' }],
      ['DELETE', '/api/resources/kept/a.txt'],
      ['DELETE', '/api/resources/kept'],
      ['PATCH', '/api/resources/kept/a.txt?action=rename&destination=/kept/c.txt'],
      ['PATCH', '/api/resources/b.txt?action=rename&destination=/kept/b.txt'],
      ['PATCH', '/api/resources/b.txt?action=copy&destination=/kept/b.txt'],
    ]
    for (const [method, address, init] of operations) {
      const response = await ask(method, address, init)
      expect([method, address, response.status, await response.text()]).toEqual([method, address, 403, '403 Forbidden\n'])
    }
    expect(await product.snapshot()).toEqual(before)
    expect(await (await ask('GET', '/api/raw/kept/a.txt')).text()).toBe('old')
    expect(incidents(product)).toEqual([])
  }

  it('returns 403 for an immutable folder, and changes nothing', async () => {
    const place = join(product.root, 'kept')
    run('chattr', '-R', '+i', place)
    try {
      await refusesChanges()
    } finally {
      run('chattr', '-R', '-i', place)
    }
  })

  it('returns 403 if it is mounted read-only, and changes nothing', async () => {
    const place = join(product.root, 'kept')
    run('mount', '--bind', place, place)
    run('mount', '-o', 'remount,ro,bind', place)
    try {
      await refusesChanges()
      const before = await product.snapshot()
      // To another disk a move is a copy and a removal; the removal fails, and the copy goes again.
      expect((await ask('PATCH', '/api/resources/kept/a.txt?action=rename&destination=/c.txt')).status).toBe(403)
      expect((await ask('PATCH', '/api/resources/kept?action=rename&destination=/new/kept')).status).not.toBe(200)
      expect(await product.snapshot()).toEqual(before)
    } finally {
      run('umount', '-l', place)
    }
  })

  it('lists, walks and sums up the remaining files if files disappear meanwhile', async () => {
    const place = join(product.root, 'many')
    const [odd, all]: string[][] = [[], []]
    mkdirSync(place)
    for (let i = 0; i < 1500; i++) {
      all?.push(join(place, `${i}.txt`))
      if (i % 2 === 1) odd?.push(join(place, `${i}.txt`))
    }
    for (const file of all ?? []) writeFileSync(file, 'x')
    const vanish = async () => {
      for (const file of odd ?? []) {
        rmSync(file)
        if (Math.random() < 0.05) await Bun.sleep(1)
      }
    }
    const look = async () => {
      const seen: number[] = []
      for (let i = 0; i < 12; i++)
        for (const address of ['/api/resources/many', '/api/resources/recursive/many', '/api/resources/', '/api/resources/many/1.txt'])
          seen.push((await ask('GET', address)).status)
      return seen
    }
    const [statuses] = await Promise.all([look(), vanish()])
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([])
    expect(await (await ask('GET', '/api/resources/many')).json()).toMatchObject({ numFiles: 750 })
    expect(incidents(product)).toEqual([])
  })
})

/** A file as the block device of a file system: where its own disk is full, the device answers what is written back with an I/O error. */
describe('R3: a disk that fails temporarily', () => {
  let home: string
  let disk: string
  let product: Product
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'satchel-failing-'))
    disk = join(home, 'disk')
    const folder = join(home, 'served')
    mkdirSync(disk)
    mkdirSync(folder)
    run('mount', '-t', 'tmpfs', '-o', 'size=6m', 'none', disk)
    run('truncate', '-s', '128m', join(disk, 'image'))
    run('mkfs.ext4', '-q', '-O', '^has_journal', '-E', 'lazy_itable_init=0,nodiscard', join(disk, 'image'))
    run('mount', '-o', 'loop', join(disk, 'image'), folder)
    product = await startProduct({ storage: { folder } })
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    spawnSync('umount', ['-l', join(home, 'served')])
    spawnSync('umount', ['-l', disk])
    rmSync(home, { recursive: true })
  })

  const MEBIBYTE = 1024 * KIBIBYTE
  for (const [way, length] of [
    ['with the last sync', 9 * MEBIBYTE],
    ['while more is to come', 30 * MEBIBYTE],
    ['in a large piece', 60 * MEBIBYTE],
  ] as const)
    it(`never reports lost bytes as durable ${way}`, async () => {
      const bytes = randomBytes(length)
      const ask = (method: string, headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) =>
        product.ask('/api/tus/film?upload=mine', { who: 'ann', method, headers: { 'tus-resumable': '1.0.0', ...headers }, body })
      const send = (from: number, to: number) => ask('PATCH', { ...OFFSET_BYTES, 'upload-offset': String(from) }, bytes.slice(from, to))
      await ask('POST', { 'upload-length': String(length) })
      expect((await send(0, MEBIBYTE)).status).toBe(204)
      const second = length > 40 * MEBIBYTE ? length - MEBIBYTE : Math.min(length, 9 * MEBIBYTE)
      expect((await send(MEBIBYTE, second)).status).toBeGreaterThanOrEqual(500)
      run('mount', '-o', 'remount,size=200m', disk)
      // The page cache is not the content of the disk.
      run('sh', '-c', 'echo 1 > /proc/sys/vm/drop_caches')
      const told = await ask('HEAD', {})
      expect([told.status, told.headers.get('upload-offset')]).toEqual([200, String(MEBIBYTE)])
      expect((await send(MEBIBYTE, length)).status).toBe(204)
      run('sh', '-c', 'echo 1 > /proc/sys/vm/drop_caches')
      expect(readFileSync(join(home, 'served/film')).equals(bytes)).toBe(true)
    }, 300_000)
})

describe('a small storage in memory', () => {
  it('behaves like a full disk', async () => {
    await using product = await startProduct({ storage: { capacity: 1000 } })
    await product.add('ben', { may: EVERYTHING })
    await product.seed({ '/old.bin': 'old' })
    const before = await product.snapshot()
    const headers = { accept: 'application/json' }
    for (const [method, address] of [
      ['POST', '/api/resources/new.bin'],
      ['PUT', '/api/resources/old.bin'],
    ]) {
      const response = await product.ask(address ?? '', { method, who: 'ben', headers, body: new Uint8Array(2000) })
      expect([response.status, await response.json()]).toEqual([507, FULL])
    }
    expect(await product.snapshot()).toEqual(before)
  })
})

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args)
  if (status !== 0) throw new Error(`${command}: ${String(stderr)}`)
}

function free(folder: string): number {
  const { bsize, bfree } = statfsSync(folder)
  return bsize * bfree
}

function incidents({ logged }: Product): string[] {
  return logged.filter((line) => line.includes('incident'))
}
