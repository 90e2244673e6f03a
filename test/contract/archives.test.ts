import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { chmod, truncate, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { ARCHIVE_FORMATS, isLaidOut } from '../../src/shared/archive-format.ts'
import { onlyInProcess } from './over-http.ts'
import { deny, EVERYTHING, onEachStorage, type Product, startProduct } from './world.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'

const TREE = { '/docs/a.txt': 'the text of a', '/docs/empty/': '', '/docs/sub/é.txt': 'b', '/docs/none': '', '/c.txt': 'c' }
const ENTRIES = ['a.txt', 'empty/', 'none', 'sub/', 'sub/é.txt']
/** Standard tools, each with what tests its format. */
const TESTERS: Record<string, string[]> = {
  zip: ['unzip', '-tqq'],
  tar: ['bsdtar', '-tf'],
  'tar.gz': ['gzip', '-tq'],
  'tar.bz2': ['bzip2', '-tq'],
  'tar.xz': ['xz', '-tq'],
  'tar.lz4': ['lz4', '-tq'],
  'tar.zst': ['zstd', '-tq'],
  'tar.br': ['brotli', '-t'],
}

onEachStorage((product) => {
  const get = (address: string, headers: Record<string, string> = {}, who = 'ann') => product().ask(`/api/raw${address}`, { who, headers })
  const listed = async (address: string, who = 'ann') => namesIn(await (await get(address, {}, who)).bytes())
  const nameOf = async (address: string) => {
    const response = await get(address)
    await response.bytes()
    return response.headers.get('content-disposition')
  }

  it('the archive of a folder has its name and content, including empty folders', async () => {
    await product().seed(TREE)
    const response = await get('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''docs.zip")
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(namesIn(await response.bytes())).toEqual(ENTRIES)
  })

  it('both spellings of each format are accepted, and no others', async () => {
    await product().seed(TREE)
    for (const format of ARCHIVE_FORMATS) {
      expect(await nameOf(`/docs?algo=${format}`)).toEndWith(`docs.${format}`)
      expect(await nameOf(`/docs?algo=${format.replace('.', '')}`)).toEndWith(`docs.${format}`)
    }
    expect(await nameOf('/docs?algo=true')).toEndWith('docs.zip')
    expect((await get('/docs?algo=rar')).status).toBe(400)
  })

  it('several files are named from their common folder, by repeated parameters and by a list', async () => {
    await product().seed({ ...TREE, '/docs/a,b.txt': 'comma', '/docs/c+d.txt': 'plus' })
    expect(await nameOf('/?files=docs/a.txt&files=docs/none')).toEndWith("''_docs.zip")
    expect(await listed('/?files=docs/a.txt&files=docs/none')).toEqual(['a.txt', 'none'])
    expect(await listed('/docs/?files=a%2Cb.txt&files=c%2Bd.txt')).toEqual(['a,b.txt', 'c+d.txt'])
    expect(await listed(`/?files=${encodeURIComponent('/docs/a%2Cb.txt,/docs/c%2Bd.txt')}`)).toEqual(['a,b.txt', 'c+d.txt'])
    expect(await listed('/?files=c.txt&files=docs/sub')).toEqual(['c.txt', 'docs/sub/', 'docs/sub/é.txt'])
    expect(await listed('/?files=docs&files=docs/a.txt')).toEqual(await listed('/docs'))
    expect(await nameOf('/?files=c.txt')).toEndWith("''c.txt.zip")
    expect(await listed('/?files=c.txt')).toEqual(['c.txt'])
  })

  it('a missing or hidden file is not found, and nothing is sent', async () => {
    await product().seed(TREE)
    await product().add('ben', { rules: [deny('/docs/sub')] })
    for (const files of ['docs/sub', 'docs/nope']) expect((await get(`/?files=c.txt&files=${files}`, {}, 'ben')).status).toBe(404)
    expect((await get('/?files=c.txt&files=../x')).status).toBe(400)
    expect(await listed('/docs', 'ben')).toEqual(['a.txt', 'empty/', 'none'])
  })

  it('a sibling with the same prefix is not included (GHSA-h64p-8h4r-6gfh)', async () => {
    await product().seed({ '/share/a.txt': 'a', '/share2/x.txt': 'x' })
    await product().add('ben', { scope: '/share' })
    expect((await get('/?files=../share2/x.txt&files=a.txt', {}, 'ben')).status).toBe(400)
    expect(await listed('/?files=share/a.txt&files=share2/x.txt')).toEqual(['share/a.txt', 'share2/x.txt'])
  })

  it('without the download right there is no archive', async () => {
    await product().seed(TREE)
    await product().add('ben', { may: { ...EVERYTHING, download: false } })
    expect((await get('/docs', {}, 'ben')).status).toBe(202)
  })

  it('zip and tar have length, ETag and ranges, and are reproducible', async () => {
    await product().seed(TREE)
    for (const algo of ['zip', 'tar']) {
      const head = await product().ask(`/api/raw/docs?algo=${algo}`, { who: 'ann', method: 'HEAD' })
      const whole = await (await get(`/docs?algo=${algo}`)).bytes()
      const etag = head.headers.get('etag') ?? ''
      expect(head.headers.get('content-length')).toBe(String(whole.length))
      expect(head.headers.get('accept-ranges')).toBe('bytes')
      expect(etag).toMatch(/^"[0-9a-f]+"$/)
      for (let at = 0; at < whole.length; at += 97) {
        const part = await get(`/docs?algo=${algo}`, { range: `bytes=${at}-${at + 96}`, 'if-range': etag })
        expect(part.status).toBe(206)
        expect(part.headers.get('content-range')).toBe(`bytes ${at}-${Math.min(at + 97, whole.length) - 1}/${whole.length}`)
        expect(Buffer.compare(await part.bytes(), whole.subarray(at, at + 97))).toBe(0)
      }
      expect((await get(`/docs?algo=${algo}`, { 'if-none-match': etag })).status).toBe(304)
      expect((await get(`/docs?algo=${algo}`, { range: `bytes=${whole.length}-` })).status).toBe(416)
    }
  })

  it('a change in between makes a new archive: 412, or the whole', async () => {
    await product().seed(TREE)
    const etag = (await get('/docs')).headers.get('etag') ?? ''
    await product().seed({ '/docs/a.txt': 'another text of a' })
    expect((await get('/docs', { 'if-match': etag })).status).toBe(412)
    expect((await get('/docs', { range: 'bytes=5-', 'if-range': etag })).status).toBe(200)
  })
})

it('a user gets three compressed archives at a time, then 429 with Retry-After (R9)', async () => {
  onlyInProcess('a body that is made as far as it is read')
  await using product = await startProduct()
  const get = () => product.ask('/api/raw/docs?algo=tar.br', { who: 'ann' })
  await product.seed({ '/docs/a.txt': 'a'.repeat(3_000_000) })
  const running = await Promise.all([get(), get(), get()])
  const refused = await get()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  await running[0]?.body?.cancel()
  expect((await get()).status).toBe(200)
  expect((await product.ask('/api/raw/docs?algo=tar.br', { who: 'root' })).status).toBe(200)
})

describe('archives on a disk', () => {
  let product: Product
  let home: string
  beforeEach(async () => {
    product = await startProduct({ storage: 'local' })
    home = mkdtempSync(join(tmpdir(), 'archives-'))
  })
  afterEach(async () => {
    await product[Symbol.asyncDispose]()
    rmSync(home, { recursive: true })
  })
  const fetched = async (address: string, name: string) => {
    const response = await product.ask(`/api/raw${address}`, { who: 'ann' })
    expect(response.status).toBe(200)
    writeFileSync(join(home, name), await response.bytes())
    return join(home, name)
  }

  it('every format can be opened with the standard tool, and has the same content', async () => {
    await product.seed({ ...TREE, '/docs/big': randomBytes(1_200_000) })
    for (const format of ARCHIVE_FORMATS) {
      const file = await fetched(`/docs?algo=${format}`, `x.${format}`)
      const [command = 'true', ...options] = TESTERS[format] ?? []
      expect([format, run(command, [...options, file]).status]).toEqual([format, 0])
    }
    const plain = run('sha256sum', [], run('cat', [join(home, 'x.tar')]).stdout).stdout.toString()
    for (const format of ARCHIVE_FORMATS.filter((one) => !isLaidOut(one) && one !== 'tar.sz')) {
      const [command = 'true'] = TESTERS[format] ?? []
      expect(run('sha256sum', [], run(command, ['-dc', join(home, `x.${format}`)]).stdout).stdout.toString()).toBe(plain)
    }
  }, 300_000)

  it('names that would leave their folder are made safe and unique (GHSA-gxjx-7m74-hcq8, GHSA-83xp-526h-j3ww)', async () => {
    const hostile = [
      '..\\..\\evil.bat',
      'a\\b',
      'a_b',
      'a:b',
      'C:x',
      'CON',
      'con.txt',
      'x:ads',
      'tail.',
      'tail ',
      'new\nline',
      'r\u202etl',
      '-rf',
      '~',
    ]
    await product.seed(Object.fromEntries(hostile.map((name) => [`/docs/${name}`, name])))
    for (const format of ['zip', 'tar']) {
      const file = await fetched(`/docs?algo=${format}`, `x.${format}`)
      const target = mkdtempSync(join(home, 'out-'))
      expect(run('bsdtar', ['-xf', file, '-C', target]).status).toBe(0)
      const names = readdirSync(target)
      expect(names).toHaveLength(hostile.length)
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(hostile.length)
      for (const name of names) expect(name).not.toMatch(/[\\:\u0000-\u001f\u202e]|[. ]$|^con(\.|$)/i)
    }
  })

  it('pipes are skipped without waiting (GHSA-8q5j-8wcr-8v2v)', async () => {
    await product.seed(TREE)
    expect(run('mkfifo', [join(product.root, 'docs/pipe')]).status).toBe(0)
    for (const format of ['zip', 'tar.gz'])
      expect(run('bsdtar', ['-tf', await fetched(`/docs?algo=${format}`, 'x')]).stdout.toString()).not.toContain('pipe')
    expect((await product.ask('/api/raw/?files=docs/pipe', { who: 'ann' })).status).toBe(404)
  })

  it('links are replaced by their target inside the scope, and skipped otherwise (GHSA-239w-m3h6-ch8v)', async () => {
    await product.seed(TREE)
    await product.link('docs/inside', '../c.txt')
    await product.link('docs/outside', '/etc')
    await product.link('docs/loop', '.')
    const names = namesIn(await (await product.ask('/api/raw/docs', { who: 'ann' })).bytes())
    expect(names).toEqual(['a.txt', 'empty/', 'inside', 'none', 'sub/', 'sub/é.txt'])
  })

  it('unreadable files are listed in an entry of the archive', async () => {
    await product.seed(TREE)
    writeFileSync(Buffer.concat([Buffer.from(join(product.root, 'docs/')), Buffer.from([0x62, 0xff])]), 'x')
    for (const format of ['zip', 'tar.gz']) {
      const file = await fetched(`/docs?algo=${format}`, 'x')
      expect(run('bsdtar', ['-xOf', file, '_errors.txt']).stdout.toString()).toContain('"/docs/b%FF": the name is not UTF-8')
    }
  })

  it('times and permissions are included', async () => {
    await product.seed(TREE)
    await utimes(join(product.root, 'docs/a.txt'), 1_600_000_000, 1_600_000_000)
    await chmod(join(product.root, 'docs/a.txt'), 0o750)
    for (const format of ['zip', 'tar', 'tar.zst']) {
      const target = mkdtempSync(join(home, 'out-'))
      expect(run('bsdtar', ['-xpf', await fetched(`/docs?algo=${format}`, 'x'), '-C', target]).status).toBe(0)
      expect(run('stat', ['-c', '%Y %a', join(target, 'a.txt')]).stdout.toString()).toBe('1600000000 750\n')
    }
  })

  it('a file that changes during the download aborts it; the received part is not complete', async () => {
    await product.seed({ '/docs/a.bin': randomBytes(64_000_000), '/docs/b.bin': randomBytes(4_000_000) })
    const token = await product.signIn('ann')
    for (const format of ['zip', 'tar', 'tar.lz4']) {
      const client = await askSlowly(
        product.port,
        `GET /api/raw/docs?algo=${format} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nConnection: close\r\n\r\n`,
      )
      // What is not laid out takes a file as it is when its turn comes, but not one that ends before it should.
      const file = join(product.root, format === 'tar.lz4' ? 'docs/a.bin' : 'docs/b.bin')
      const whole = readFileSync(file)
      await truncate(file, 1000)
      const { first, last } = await client.readOn()
      expect(first.toString('latin1')).toStartWith('HTTP/1.1 200 OK')
      expect(last.toString('latin1')).not.toEndWith('\r\n0\r\n\r\n')
      writeFileSync(file, whole)
    }
  })

  it('more files than the descriptor limit can be packed, including empty and private ones', async () => {
    await product.seed(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`/docs/${i}`, i % 2 === 0 ? '' : 'x'])))
    for (const format of ['zip', 'tar', 'tar.gz']) {
      const names = run('bsdtar', ['-tf', await fetched(`/docs?algo=${format}`, 'x')])
        .stdout.toString()
        .trim()
        .split('\n')
      expect([names.length, names.includes('_errors.txt')]).toEqual([3000, false])
    }
  }, 300_000)

  it('a zip and a tar have the declared length, whole and in part', async () => {
    await product.seed({ '/docs/a.bin': randomBytes(6_000_000), '/docs/b.txt': 'b' })
    for (const format of ['zip', 'tar']) {
      const address = `/api/raw/docs?algo=${format}`
      const whole = await product.ask(address, { who: 'ann' })
      const bytes = await whole.bytes()
      expect(whole.headers.get('content-length')).toBe(String(bytes.length))
      expect(whole.headers.get('transfer-encoding')).toBeNull()
      const part = await product.ask(address, { who: 'ann', headers: { range: 'bytes=1000-5001000' } })
      expect([part.status, part.headers.get('content-length')]).toEqual([206, '5000001'])
      expect(Buffer.compare(await part.bytes(), bytes.subarray(1000, 5_001_001))).toBe(0)
    }
  })

  it('eight slow parallel ranges make up the whole', async () => {
    await product.seed({ '/docs/a.bin': randomBytes(24_000_000), '/docs/b.txt': 'b' })
    const whole = await (await product.ask('/api/raw/docs', { who: 'ann' })).bytes()
    const step = Math.ceil(whole.length / 8)
    const parts = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const part = await product.ask('/api/raw/docs', { who: 'ann', headers: { range: `bytes=${i * step}-${(i + 1) * step - 1}` } })
        const chunks: Uint8Array[] = []
        for await (const chunk of part.body ?? []) {
          chunks.push(chunk)
          await new Promise((resolve) => setImmediate(resolve))
        }
        return Buffer.concat(chunks)
      }),
    )
    expect(Buffer.compare(Buffer.concat(parts), whole)).toBe(0)
  })

  it('files unreadable for this account are listed, and everything else is included', async () => {
    const root = mkdtempSync(join(tmpdir(), 'archives-root-'))
    for (const name of ['a.txt', 'own.txt']) writeFileSync(join(root, name), name)
    mkdirSync(join(root, 'shut'))
    for (const [name, mode] of [
      ['', 0o755],
      ['a.txt', 0o644],
      ['own.txt', 0],
      ['shut', 0],
    ] as const)
      await chmod(join(root, name), mode)
    const [command, ...options] = process.getuid?.() === 0 ? AS_NOBODY : ['env']
    const child = run(command ?? '', [...options, ...RUNTIME_COMMAND, join(import.meta.dir, 'archive.child.ts'), root])
    await chmod(join(root, 'shut'), 0o700)
    rmSync(root, { recursive: true })
    expect(child.stderr.toString()).toBe('')
    expect(namesIn(child.stdout)).toEqual(['a.txt', 'shut/', '_errors.txt'])
    for (const name of ['own.txt', 'shut']) expect(child.stdout.toString('latin1')).toContain(`"/${name}": permission denied\n`)
  }, 300_000)

  it('a client that disconnects releases every file', async () => {
    await product.seed({ '/docs/a.bin': randomBytes(64_000_000) })
    const token = await product.signIn('ann')
    for (const format of ['zip', 'tar.gz', 'tar.xz', 'tar.br', 'tar.bz2']) {
      const socket = connect(product.port, '127.0.0.1')
      socket.write(`GET /api/raw/docs?algo=${format} HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\nConnection: close\r\n\r\n`)
      await once(socket, 'data')
      socket.destroy()
    }
    while (openBelow(product.root).length > 0) await Bun.sleep(10)
    expect(openBelow(product.root)).toEqual([])
  }, 300_000)

  it('a download resumes after a restart, and reads earlier files only if their checksums are unknown', async () => {
    await product.seed({ '/docs/a.bin': new Uint8Array(40_000_000).fill(7), '/docs/b.bin': new Uint8Array(3_000_000).fill(9) })
    const whole = await (await product.ask('/api/raw/docs', { who: 'ann' })).bytes()
    expect(await product.db.selectFrom('checksums').select('spans').execute()).toHaveLength(2)
    product.restart()
    const rest = await product.ask('/api/raw/docs', { who: 'ann', headers: { range: `bytes=${whole.length - 5000}-` } })
    expect(rest.status).toBe(206)
    expect(Buffer.compare(await rest.bytes(), whole.subarray(-5000))).toBe(0)
    await product.db.deleteFrom('checksums').execute()
    const again = await product.ask('/api/raw/docs', { who: 'ann', headers: { range: `bytes=39000000-` } })
    expect(Buffer.compare(await again.bytes(), whole.subarray(39_000_000))).toBe(0)
  })
})

/** An account that owns nothing. */
const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']

/** Descriptors of files in a folder; the folder itself is the storage's. */
function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return ''
      }
    })
    .filter((target) => target.startsWith(`${folder}/`))
}

/** The names in a zip, as its central directory has them. */
function namesIn(zip: Uint8Array): string[] {
  const bytes = Buffer.from(zip)
  const end = bytes.length - 22
  const names: string[] = []
  for (let at = bytes.readUInt32LE(end + 16); at < end;) {
    const length = bytes.readUInt16LE(at + 28)
    names.push(bytes.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + bytes.readUInt16LE(at + 30)
  }
  return names
}

function run(command: string, args: string[], input?: Uint8Array) {
  return spawnSync(command, args, { input, maxBuffer: 1e9 })
}

/** A client that stops after the first bytes until it is told to go on; then it reads until the connection ends. */
async function askSlowly(port: number, request: string): Promise<{ readOn(): Promise<{ first: Buffer; last: Buffer }> }> {
  const begun = Promise.withResolvers<Buffer>()
  const ended = Promise.withResolvers<void>()
  let last = Buffer.alloc(0)
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (own) => void own.write(request),
      data(own, bytes) {
        last = Buffer.concat([last, bytes]).subarray(-7)
        begun.resolve(Buffer.from(bytes))
        if (last.length > 0 && !going) own.pause()
      },
      end: () => ended.resolve(),
      close: () => ended.resolve(),
      error: () => ended.resolve(),
    },
  })
  let going = false
  const first = await begun.promise
  return {
    async readOn() {
      going = true
      socket.resume()
      await ended.promise
      socket.end()
      return { first, last }
    },
  }
}
