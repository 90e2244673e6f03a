import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { LeftOut } from '../../src/shared/archive-format.ts'
import type { Job } from '../../src/shared/contract/jobs.ts'
import { isAppError, type ArchiveProblem } from '../../src/shared/errors.ts'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { rarOf, sevenZipOf, tarOf, zipOf } from './archive-samples.ts'
import { type Product, startProduct } from './world.ts'
import { UNPACK_LIMITS } from '../../src/server/unpack/unpacker.ts'

// Each archive is a program that is started; a busy machine takes its time.
setDefaultTimeout(300_000)

/** Small enough that a bomb need not be large to be one. */
const LIMITS = { ...UNPACK_LIMITS, entries: 200, bytes: 64 * 1024 ** 2, freeBytes: 1024 ** 2, ratio: 100, nameChars: 10_000 }
const KEPT = { name: 'kept.txt', text: 'kept' }

/** Every spelling of a way out that an archive can hold (zip slip; GHSA-gxjx-7m74-hcq8, GHSA-83xp-526h-j3ww). */
const WAYS_OUT = [
  '../out.txt',
  '../../../../../../etc/out.txt',
  'a/../../out.txt',
  'a/b/../../../out.txt',
  './../out.txt',
  '..\\out.txt',
  'a\\..\\..\\out.txt',
  'a/..\\../out.txt',
  '/out.txt',
  '//out.txt',
  '\\out.txt',
  '\\\\server\\share\\out.txt',
  'C:\\out.txt',
  'C:/out.txt',
  'c:out.txt',
  'a/..',
  '..',
]

let product: Product
beforeEach(async () => {
  product = await startProduct({ storage: 'local', unpackLimits: LIMITS })
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

describe('a hostile archive', () => {
  it('cannot write outside the folder, in any spelling (zip slip, I14, A4-3)', async () => {
    await product.seed({ '/outside.txt': 'outside', '/in/': '' })
    await product.add('ben', { scope: '/in' })
    for (const [kind, bytes] of [
      ['zip', zipOf([...WAYS_OUT.map((name) => ({ name, text: 'out' })), KEPT])],
      ['tar', tarOf([...WAYS_OUT.map((name) => ({ name, text: 'out' })), KEPT])],
      ['rar', rarOf([...WAYS_OUT.map((name) => ({ name, text: 'out' })), KEPT])],
    ] as const) {
      await product.seed({ [`/in/x.${kind}`]: bytes })
      const { state, leftOut } = await unpacked('ben', { path: `/x.${kind}`, destination: `/${kind}/deep` })
      expect({ kind, state, count: leftOut.count }).toEqual({ kind, state: 'done', count: WAYS_OUT.length })
      expect(new Set(leftOut.first.map(({ reason }) => reason))).toEqual(new Set<LeftOut>(['unsafe-name']))
    }
    expect(await tree()).toEqual(
      [
        'in',
        'in/rar',
        'in/rar/deep',
        'in/rar/deep/kept.txt',
        'in/tar',
        'in/tar/deep',
        'in/tar/deep/kept.txt',
        'in/x.rar',
        'in/x.tar',
      ].concat(['in/x.zip', 'in/zip', 'in/zip/deep', 'in/zip/deep/kept.txt', 'outside.txt']),
    )
  })

  it('creates no links and devices, and nothing through them (GHSA-239w-m3h6-ch8v)', async () => {
    const made = tarOf([
      { name: 'passwd', type: '2', target: '/etc/passwd' },
      { name: 'up', type: '2', target: '../..' },
      { name: 'up/out.txt', text: 'out' },
      { name: 'hard', type: '1', target: 'passwd' },
      { name: 'tty', type: '3' },
      { name: 'disk', type: '4' },
      { name: 'pipe', type: '6' },
      KEPT,
    ])
    const job = await unpackedTo('x.tar', made)
    expect(job.leftOut.first.map(({ name, reason }) => [name, reason])).toEqual([
      ['passwd', 'link'],
      ['up', 'link'],
      ['hard', 'link'],
      ['tty', 'special'],
      ['disk', 'special'],
      ['pipe', 'special'],
    ])
    expect(await tree('/to')).toEqual(['kept.txt', 'up', 'up/out.txt'])
    const zipped = zipOf([{ name: 'l', text: '/etc/passwd', mode: 0o120777 }, { name: 'p', mode: 0o10644 }, KEPT])
    expect((await unpackedTo('x.zip', zipped, '/zipped')).leftOut.first.map(({ reason }) => reason)).toEqual(['link', 'special'])
    expect(await tree('/zipped')).toEqual(['kept.txt'])
  })

  it('does not write through an existing link', async () => {
    await product.seed({ '/outside/a.txt': 'mine', '/in/': '' })
    await product.add('ben', { scope: '/in' })
    await product.link('/in/to', '../outside')
    await product.seed({ '/in/x.zip': zipOf([{ name: 'a.txt', text: 'theirs' }]) })
    await expect(start('ben', { path: '/x.zip', destination: '/to', taken: 'replace' })).rejects.toMatchObject({ code: 'already-exists' })
    expect(await product.read('/outside/a.txt')).toBe('mine')
  })

  it('keeps equal names apart, also on case- and normalization-insensitive disks', async () => {
    const entries = ['a.txt', 'a.txt', 'A.TXT', '\u00e4', 'a\u0308', 'f', 'f/inner.txt', 'd/x', 'd'].map((name, i) => ({
      name,
      text: String(i),
    }))
    const job = await unpackedTo('x.zip', zipOf(entries))
    expect(await tree('/to')).toEqual(['A(2).TXT', 'a(1).txt', 'a.txt', 'a\u0308(1)', 'd', 'd(1)', 'd/x', 'f', '\u00e4'].toSorted())
    expect(job.leftOut.first).toEqual([{ name: 'f/inner.txt', reason: 'no-place' }])
  })

  it('skips names that no disk can store', async () => {
    const long = 'n'.repeat(256)
    const deep = Array.from({ length: 70 }, () => 'd').join('/')
    const job = await unpackedTo('x.zip', zipOf([{ name: long }, { name: deep }, { name: 'nul\0.txt' }, { name: '.satchel/x' }, KEPT]), '/')
    expect(job.leftOut.first.map(({ reason }) => reason).toSorted()).toEqual(['long-name', 'long-name', 'not-allowed', 'unsafe-name'])
    expect(await tree()).toEqual(['kept.txt', 'x.zip'])
  })

  const zeros = new Uint8Array(8 * 1024 ** 2)
  const REFUSED: Record<string, [ArchiveProblem, () => Uint8Array | Promise<Uint8Array>]> = {
    'a flat bomb': ['ratio', () => zipOf([{ name: 'zeros', text: zeros, deflate: true }])],
    'a flat bomb that lies about its size': ['damaged', () => zipOf([{ name: 'zeros', text: zeros, deflate: true, size: 10 }])],
    'a bomb in a tar': ['ratio', () => gzipSync(tarOf([{ name: 'zeros', text: zeros }]))],
    'a bomb as zstd': ['ratio', () => zstdCompressSync(tarOf([{ name: 'zeros', text: zeros }]))],
    'a bomb as brotli': ['ratio', () => brotliCompressSync(tarOf([{ name: 'zeros', text: zeros }]))],
    'a bomb as 7z': ['ratio', () => sevenZipOf({ zeros: '\0'.repeat(8 * 1024 ** 2) })],
    'many entries': ['entries', () => zipOf(Array.from({ length: 300 }, (_, i) => ({ name: `${i}` })))],
    'names without end': ['entries', () => gzipSync(tarOf(Array.from({ length: 150 }, (_, i) => ({ name: `${i}`.padEnd(99, 'n') }))))],
    'entries that share bytes': [
      'overlapping',
      () =>
        zipOf([
          { name: 'a', text: zeros, deflate: true },
          ...Array.from({ length: 50 }, (_, i) => ({ name: `b${i}`, text: zeros, deflate: true, offset: 0 })),
        ]),
    ],
    'a bad checksum': ['damaged', () => zipOf([KEPT, { name: 'bad', text: 'bad', crc: 1 }])],
    'a bad checksum, compressed': ['damaged', () => zipOf([KEPT, { name: 'bad', text: 'bad', deflate: true, crc: 1 }])],
    'a bad checksum in a gzip': ['damaged', () => changed(gzipSync(tarOf([KEPT])), -6)],
    'a bad checksum in a 7z': ['damaged', async () => changed(await sevenZipOf({ 'a.txt': 'text'.repeat(100) }, ['-mx0']), 40)],
    'a bad checksum in a rar': ['damaged', () => changed(rarOf([{ name: 'a.txt', text: 'text' }]), -10)],
    'a zip that is cut off': ['damaged', () => zipOf([KEPT, { name: 'more', text: 'more' }]).subarray(0, -30)],
    'a zip whose directory lies beyond all places': ['damaged', () => withFarDirectory(zipOf([KEPT]))],
    'a zip with an entry beyond all places': ['damaged', () => zipOf([KEPT, { name: 'far', text: 'far', offset: 0xffffffff, extra: FAR }])],
    'a tar that is cut off': ['damaged', () => tarOf([KEPT, { name: 'more', text: zeros }]).subarray(0, 100_000)],
    'a gzip that is cut off': ['damaged', () => gzipSync(tarOf([KEPT])).subarray(0, -9)],
    'a 7z that is cut off': ['damaged', async () => (await sevenZipOf({ 'a.txt': 'text' })).subarray(0, -5)],
    'a rar that is cut off': ['damaged', () => rarOf([{ name: 'a.txt', text: 'text' }]).subarray(0, -12)],
    'an encrypted zip': ['encrypted', () => zipOf([KEPT, { name: 'locked', text: 'xxxxxxxxxxxxlocked', flags: 1, size: 6 }])],
    'an encrypted 7z': ['encrypted', () => sevenZipOf({ 'a.txt': 'text' }, ['-psecret'])],
    'a 7z whose names are encrypted': ['encrypted', () => sevenZipOf({ 'a.txt': 'text' }, ['-psecret', '-mhe=on'])],
    'a text that is called an archive': ['unknown', () => Buffer.from('no archive at all, but a text of some length')],
    'nothing at all': ['unknown', () => new Uint8Array(0)],
    'random bytes': ['unknown', () => crypto.getRandomValues(new Uint8Array(4096))],
  }
  for (const [says, [reason, make]] of Object.entries(REFUSED)) {
    it(`is refused with a clear error and leaves nothing: ${says} (A4-3)`, async () => {
      await product.seed({ '/x.zip': await make(), '/to/old.txt': 'old' })
      const before = await product.snapshot()
      expect(await start('ann', { path: '/x.zip', destination: '/to' })).toMatchObject({
        state: 'failed',
        error: { code: 'archive-refused', detail: { reason } },
      })
      expect(await product.snapshot()).toEqual(before)
    })
  }

  it('is refused with negative or huge sizes, and leaves nothing (A4-7)', async () => {
    const sizes64 = (value: bigint) => Buffer.concat([Buffer.from([1, 0, 16, 0]), Buffer.from(BigUint64Array.of(value, value).buffer)])
    const counted = (first: number, rest: number) => Uint8Array.of(first, ...Array.from({ length: 11 }, () => rest))
    const archives = {
      '64 bits that are not there': zipOf([{ ...KEPT, size: 0xffff_ffff }, KEPT]),
      ...Object.fromEntries(
        [2n ** 64n - 1n, 2n ** 53n].map((size) => [
          `a zip of ${size}`,
          zipOf([KEPT, { name: 'x', text: 'x', size: 0xffff_ffff, extra: sizes64(size) }]),
        ]),
      ),
      'a tar of less than nothing': tarOf([KEPT, { name: 'x', text: 'x', size: counted(0xff, 0xff) }]),
      'a tar of 2^90': tarOf([KEPT, { name: 'x', text: 'x', size: counted(0x80, 0xff) }]),
      'a tar of no number': tarOf([KEPT, { name: 'x', text: 'x', size: counted(0xc1, 0x30) }]),
      'a tar of words': tarOf([KEPT, { name: 'x', text: 'x', size: Buffer.from('-0000000001\0') }]),
    }
    for (const [says, bytes] of Object.entries(archives)) {
      await product.seed({ '/x.bin': bytes, '/to/old.txt': 'old' })
      const before = await product.snapshot()
      const { state, error } = await start('ann', { path: '/x.bin', destination: '/to' })
      expect([says, state, error?.code]).toEqual([says, 'failed', 'archive-refused'])
      expect(await product.snapshot()).toEqual(before)
    }
  })

  it('does not block if a folder declares a size', async () => {
    const folder = { name: 'folder/', type: '5', size: Buffer.from('00000001000\0') }
    expect(await unpackedTo('x.tar', tarOf([folder, KEPT]))).toMatchObject({ state: 'done' })
    expect(await product.read('/to/kept.txt')).toBe('kept')
  })

  it('is detected by content, not by name', async () => {
    for (const [name, bytes] of [
      ['zip.7z', zipOf([KEPT])],
      ['tar.rar', tarOf([KEPT])],
      ['gz.zip', gzipSync(tarOf([KEPT]))],
      ['7z.tar.gz', await sevenZipOf({ 'kept.txt': 'kept' })],
      ['rar.zip', rarOf([KEPT])],
      ['br.tar', brotliCompressSync(tarOf([KEPT]))],
    ] as const) {
      expect(await unpackedTo(name, bytes, `/to-${name}`)).toMatchObject({ state: 'done', items: 1 })
      expect(await product.read(`/to-${name}/kept.txt`)).toBe('kept')
    }
  })

  it('inside another one is not unpacked (nested bombs)', async () => {
    let bomb = zipOf([{ name: 'zeros', text: zeros, deflate: true }])
    for (let level = 0; level < 5; level++)
      bomb = zipOf(Array.from({ length: 8 }, (_, i) => ({ name: `${level}-${i}.zip`, text: bomb.subarray(0, 20_000) })))
    expect(await unpackedTo('x.zip', bomb)).toMatchObject({ state: 'done', items: 8 })
    expect(await tree('/to')).toEqual(Array.from({ length: 8 }, (_, i) => `4-${i}.zip`))
  })

  it('is also refused by the listing, which shows only what would be extracted', async () => {
    await product.seed({
      '/slip.zip': zipOf([{ name: '../out.txt' }, KEPT]),
      '/locked.zip': zipOf([{ name: 'locked', text: 'xxxxxxxxxxxxlocked', flags: 1, size: 6 }]),
      '/many.tar': tarOf(Array.from({ length: 300 }, (_, i) => ({ name: `${i}` }))),
      '/text.zip': 'a text',
    })
    const list = (path: string) => product.as('ann').unpack.list({ params: { path: at(path) } })
    expect(await list('/slip.zip')).toMatchObject({
      entries: [{ path: 'kept.txt' }],
      leftOut: [{ name: '../out.txt', reason: 'unsafe-name' }],
    })
    for (const [path, reason] of [
      ['/locked.zip', 'encrypted'],
      ['/many.tar', 'entries'],
      ['/text.zip', 'unknown'],
    ] as const) {
      const error = await list(path).catch((thrown: unknown) => thrown)
      expect(isAppError(error, 'archive-refused') ? error.detail : error).toEqual({ reason })
    }
  })
})

type Order = { path: string; destination: string; taken?: 'replace' }

async function start(who: string, order: Order): Promise<Job> {
  const { id } = await product.as(who).jobs.start({ body: { kind: 'extract', ...order } })
  for (;;) {
    const job = (await product.as(who).jobs.list({})).find((one) => one.id === id)
    if (job !== undefined && job.state !== 'waiting' && job.state !== 'running') return job
    await Bun.sleep(10)
  }
}

async function unpacked(who: string, order: Order): Promise<Job> {
  const job = await start(who, order)
  expect(job).toMatchObject({ state: 'done', error: null })
  return job
}

async function unpackedTo(name: string, bytes: Uint8Array, destination = '/to'): Promise<Job> {
  await product.seed({ [`/${name}`]: bytes })
  return unpacked('ann', { path: `/${name}`, destination })
}

/** Everything that has a name, from `folder`. */
async function tree(folder = '/'): Promise<string[]> {
  const found: string[] = []
  const from = folder === '/' ? ROOT : at(folder)
  for await (const { path } of product.world.systemDrive.walk(from)) found.push(path.slice(from === ROOT ? 1 : from.length + 1))
  return found.toSorted()
}

function changed(bytes: Uint8Array, where: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const place = where < 0 ? copy.length + where : where
  copy[place] = (copy[place] ?? 0) ^ 0xff
  return copy
}

/** Further than a system can count: the 64-bit field of an entry that says where it lies. */
const FAR = Buffer.concat([Buffer.of(1, 0, 8, 0), farPlace()])

function farPlace(): Buffer {
  const place = Buffer.alloc(8)
  place.writeBigUInt64LE(2n ** 61n)
  return place
}

/** With the locator of a 64-bit directory before its end. */
function withFarDirectory(zip: Uint8Array): Uint8Array {
  return Buffer.concat([
    zip.subarray(0, -22),
    Buffer.from('PK\x06\x07\0\0\0\0', 'latin1'),
    farPlace(),
    Buffer.of(1, 0, 0, 0),
    zip.subarray(-22),
  ])
}
