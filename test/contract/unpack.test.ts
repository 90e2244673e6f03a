import { describe, expect, it, setDefaultTimeout, spyOn } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Job } from '../../src/shared/contract/jobs.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { createBubblewrap } from '../../src/server/sandbox/bubblewrap.ts'
import { pathOf } from '../../src/server/storage/storage.ts'
import { sevenZipOf, tarOf, zipOf } from './archive-samples.ts'
import { onlyInProcess } from './over-http.ts'
import { deny, EVERYTHING, onEachStorage, type Product, startProduct } from './world.ts'

const TREE = [
  { name: 'docs/', mode: 0o40755 },
  { name: 'docs/a.txt', text: 'the text of a', deflate: true },
  { name: 'docs/deep/b.txt', text: 'the text of b' },
  { name: 'c.txt', text: 'the text of c' },
]

// Each archive is a program that is started; a busy machine takes its time.
setDefaultTimeout(300_000)

onEachStorage((product) => {
  describe('listing an archive', () => {
    it('shows its entries, and extracts single files', async () => {
      await product().seed({ '/x.zip': zipOf(TREE) })
      const { entries, count } = await product()
        .as('ann')
        .unpack.list({ params: { path: at('/x.zip') } })
      expect(entries.map(({ path, isDir, size }) => [path, isDir, size])).toEqual([
        ['docs', true, 0],
        ['docs/a.txt', false, 13],
        ['docs/deep/b.txt', false, 13],
        ['c.txt', false, 13],
      ])
      expect(count).toBe(4)
      const response = await product().ask('/api/archive/entry/x.zip?index=1&inside=docs/a.txt', { who: 'ann' })
      expect(await response.text()).toBe('the text of a')
      expect(response.headers.get('content-disposition')).toContain('a.txt')
    })

    it('stops reading with the response, also when the client disconnects', async () => {
      await product().seed({ '/x.zip': zipOf(TREE) })
      const entry = '/api/archive/entry/x.zip?index=1&inside=docs/a.txt'
      // More than anybody may read at once, and than are read for all.
      for (let n = 0; n < 4; n++) expect((await product().ask(entry, { who: 'ann', method: 'HEAD' })).status).toBe(200)
      expect(await (await product().ask(entry, { who: 'ann' })).text()).toBe('the text of a')
    })

    it('identifies an entry by position and path together', async () => {
      await product().seed({ '/x.zip': zipOf(TREE) })
      for (const query of ['index=1&inside=c.txt', 'index=0&inside=docs', 'index=9&inside=c.txt', 'index=-1&inside=c.txt']) {
        const response = await product().ask(`/api/archive/entry/x.zip?${query}`, { who: 'ann' })
        expect([query, response.status]).toEqual([query, query.includes('-1') ? 400 : 404])
      }
    })
  })

  describe('extracting', () => {
    it('restores the whole tree', async () => {
      await product().seed({ '/x.zip': zipOf(TREE), '/there/old.txt': 'old' })
      const job = await done(product(), { kind: 'extract', path: '/x.zip', destination: '/there' })
      expect(job).toMatchObject({ state: 'done', items: 4, error: null, leftOut: { count: 0 } })
      expect(await product().read('/there/docs/deep/b.txt')).toBe('the text of b')
      expect(await product().read('/there/c.txt')).toBe('the text of c')
      expect(await product().read('/there/old.txt')).toBe('old')
    })

    it('creates a new folder, unless all entries are in one', async () => {
      await product().seed({
        '/x.zip': zipOf(TREE),
        '/x/mine.txt': 'mine',
        '/one.tar.gz': gzipSync(tarOf([{ name: 'only/a.txt', text: 'a' }])),
      })
      await done(product(), { kind: 'extract', path: '/x.zip', destination: '/', own: true })
      expect(await product().read('/x(1)/docs/a.txt')).toBe('the text of a')
      await done(product(), { kind: 'extract', path: '/one.tar.gz', destination: '/', own: true })
      expect(await product().read('/only/a.txt')).toBe('a')
    })

    it('extracts the selected entries, relative to their folder', async () => {
      await product().seed({ '/x.zip': zipOf(TREE) })
      await done(product(), { kind: 'extract', path: '/x.zip', destination: '/out', inside: 'docs', names: ['deep'] })
      expect(await names(product(), '/out')).toEqual(['deep'])
      expect(await product().read('/out/deep/b.txt')).toBe('the text of b')
    })

    it('resolves name conflicts as requested: refuse, replace, number or skip', async () => {
      await product().seed({ '/x.zip': zipOf(TREE), '/out/c.txt': 'mine', '/out/docs/a.txt': 'mine', '/out/docs/z.txt': 'mine' })
      const order = { kind: 'extract', path: '/x.zip', destination: '/out' } as const
      const before = await product().snapshot()
      expect(await done(product(), order)).toMatchObject({
        state: 'failed',
        error: { code: 'already-exists', detail: { path: '/out/docs' } },
      })
      expect(await product().snapshot()).toEqual(before)
      await done(product(), { ...order, taken: 'skip' })
      expect(await product().snapshot()).toEqual(before)
      await done(product(), { ...order, answers: { 'c.txt': 'rename', docs: 'replace' } })
      expect(await names(product(), '/out')).toEqual(['c(1).txt', 'c.txt', 'docs'])
      expect(await product().read('/out/c.txt')).toBe('mine')
      expect(await product().read('/out/docs/a.txt')).toBe('the text of a')
      expect(await product().read('/out/docs/z.txt')).toBe('mine')
    })

    it('skips denied entries and extracts the rest (GHSA-77x8-73f4-5485, CVE-2026-57491)', async () => {
      await product().seed({ '/x.zip': zipOf(TREE), '/out/secret/s.txt': 's' })
      await product().setRules('ann', [deny('/out/docs/deep'), deny('/out/secret')])
      const job = await done(product(), { kind: 'extract', path: '/x.zip', destination: '/out' })
      expect(job).toMatchObject({ state: 'done', leftOut: { count: 1, first: [{ name: 'docs/deep/b.txt', reason: 'not-allowed' }] } })
      expect(await names(product(), '/out/docs')).toEqual(['a.txt'])
    })

    it('checks permissions again before publishing', async () => {
      await product().seed({ '/x.zip': zipOf(TREE) })
      const { id } = await product()
        .as('ann')
        .jobs.start({ body: { kind: 'extract', path: '/x.zip', destination: '/out' } })
      await product().setRights('ann', { ...EVERYTHING, create: false })
      expect(await ended(product(), id)).toMatchObject({ state: 'failed', error: { code: 'forbidden' } })
      expect(await names(product(), '/')).toEqual(['x.zip'])
    })
  })

  describe('packing', () => {
    for (const format of ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz', 'tar.zst', 'tar.br'] as const) {
      it(`creates a ${format} with the same content`, async () => {
        await product().seed({ '/in/a.txt': 'a'.repeat(200_000), '/in/deep/b.txt': 'b', '/in/empty/': '' })
        const destination = `/in.${format}`
        expect(await done(product(), { kind: 'pack', paths: ['/in'], destination, format })).toMatchObject({ state: 'done', destination })
        expect(await done(product(), { kind: 'extract', path: destination, destination: '/out' })).toMatchObject({ state: 'done' })
        expect(await product().read('/out/a.txt')).toBe('a'.repeat(200_000))
        expect(await names(product(), '/out')).toEqual(['a.txt', 'deep', 'empty'])
      })
    }

    it('R9: reports unreadable files that are missing in the archive', async () => {
      await product().seed({ '/in/a.txt': 'a', '/in/b.txt': 'b' })
      const open = product().storage.open
      onlyInProcess('storage that misbehaves')
      const broken = spyOn(product().storage, 'open').mockImplementation(async (where) =>
        pathOf(where) === '/in/b.txt' ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) : open(where),
      )
      const readable = spyOn(product().storage, 'readable').mockImplementation(async (_, files) => new Uint8Array(files.length))
      try {
        for (const format of ['zip', 'tar.gz'] as const) {
          const job = await done(product(), { kind: 'pack', paths: ['/in'], destination: `/in.${format}`, format })
          expect(job).toMatchObject({ state: 'done', leftOut: { count: 1, first: [{ name: '/in/b.txt', reason: 'unreadable' }] } })
        }
      } finally {
        broken.mockRestore()
        readable.mockRestore()
      }
    })

    it('replaces files only on request', async () => {
      await product().seed({ '/a.txt': 'a', '/a.zip': 'mine' })
      const order = { kind: 'pack' as const, paths: ['/a.txt'], destination: '/a.zip', format: 'zip' as const }
      await expect(product().as('ann').jobs.start({ body: order })).rejects.toMatchObject({ code: 'already-exists' })
      expect(await done(product(), { ...order, taken: 'rename' })).toMatchObject({ destination: '/a(1).zip' })
      expect(await product().read('/a.zip')).toBe('mine')
    })
  })

  describe('copies and moves as jobs', () => {
    it('do the same as single calls, in order', async () => {
      await product().seed({ '/a.txt': 'a', '/b/c.txt': 'c', '/to/a.txt': 'old' })
      const items = [
        { from: '/a.txt', to: '/to/a.txt', rename: true },
        { from: '/b', to: '/to/b' },
      ]
      expect(await done(product(), { kind: 'copy', items })).toMatchObject({ state: 'done', items: 2, done: 2, total: 2 })
      expect(await names(product(), '/to')).toEqual(['a(1).txt', 'a.txt', 'b'])
      await done(product(), { kind: 'move', items: [{ from: '/b', to: '/to/moved' }] })
      expect(await names(product(), '/')).toEqual(['a.txt', 'to'])
    })

    it('continue after a failed one, and report it', async () => {
      await product().seed({ '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c', '/to/b.txt': 'old' })
      const items = ['a', 'b', 'c'].map((name) => ({ from: `/${name}.txt`, to: `/to/${name}.txt` }))
      const error = { code: 'already-exists' }
      const failed = { count: 1, first: [{ path: '/b.txt', error }] }
      expect(await done(product(), { kind: 'move', items })).toMatchObject({ state: 'failed', items: 2, failed, error })
      expect(await names(product(), '/to')).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await names(product(), '/')).toEqual(['b.txt', 'to'])
    })
  })

  describe('a job', () => {
    it('is refused if too many run at once', async () => {
      await product().seed({ '/a.txt': 'a' })
      const ann = product().as('ann')
      await ann.jobs.list({})
      const asked = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) =>
          ann.jobs.start({ body: { kind: 'copy', items: [{ from: '/a.txt', to: `/copy ${n}.txt`, replace: false, rename: false }] } }),
        ),
      )
      const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      expect(refused.length).toBeGreaterThan(0)
      for (const reason of refused) expect(reason).toMatchObject({ code: 'too-many-requests' })
    })

    it('is visible to its owner only, and removed after its end', async () => {
      await product().seed({ '/a.txt': 'a' })
      const { id } = await done(product(), { kind: 'copy', items: [{ from: '/a.txt', to: '/b.txt' }] })
      expect(await product().as('root').jobs.list({})).toEqual([])
      await expect(product().as('root').jobs.remove({ params: { id } })).rejects.toMatchObject({ code: 'not-found' })
      await product().as('ann').jobs.remove({ params: { id } })
      expect(await product().as('ann').jobs.list({})).toEqual([])
    })

    it('leaves nothing when it is cancelled', async () => {
      await product().seed({ '/x.tar.gz': gzipSync(Buffer.alloc(64 * 1024 ** 2)), '/y/a.txt': 'a' })
      const before = await product().snapshot()
      const { id } = await product()
        .as('ann')
        .jobs.start({ body: { kind: 'extract', path: '/x.tar.gz', destination: '/out' } })
      await product().as('ann').jobs.remove({ params: { id } })
      expect(await ended(product(), id)).toMatchObject({ state: 'cancelled' })
      expect(await product().snapshot()).toEqual(before)
    })

    it('is reported as interrupted after a restart, and leaves no partial files', async () => {
      await product().seed({ '/x.zip': zipOf([{ name: 'a.bin', text: new Uint8Array(32 * 1024 ** 2), deflate: true }]) })
      const before = await product().snapshot()
      const { id } = await product()
        .as('ann')
        .jobs.start({ body: { kind: 'extract', path: '/x.zip', destination: '/' } })
      await product().world.userJobs.stop()
      product().restart()
      expect(await ended(product(), id)).toMatchObject({ state: 'interrupted' })
      expect(await product().snapshot()).toEqual(before)
    })

    it('is reported as interrupted after a crash of the server too', async () => {
      const { db } = product()
      const { id: userId } = await product().account('ann')
      const task = JSON.stringify({
        about: { name: 'x', destination: '/' },
        done: 0,
        total: null,
        items: 0,
        leftOut: { count: 0, first: [] },
        error: null,
      })
      const row = {
        id: 'j',
        kind: 'copy',
        task,
        state: 'running',
        attempts: 1,
        due_at: 0,
        lease_until: 0,
        report: '',
        created_at: 1,
        ended_at: null,
        user_id: userId,
      } as const
      await db.insertInto('jobs').values(row).execute()
      expect(await product().as('ann').jobs.list({})).toMatchObject([{ id: 'j', state: 'interrupted', name: 'x' }])
    })

    it('is refused if it is invalid', async () => {
      for (const body of [
        {},
        { kind: 'extract', path: '/a', destination: '' },
        { kind: 'extract', path: '../a', destination: '/' },
        { kind: 'pack', paths: [], destination: '/a.zip', format: 'zip' },
        { kind: 'pack', paths: ['/'], destination: '/a.exe', format: 'exe' },
        { kind: 'copy', items: [] },
        { kind: 'rm', items: [{ from: '/a', to: '/b' }] },
      ]) {
        const response = await product().ask('/api/jobs', { method: 'POST', who: 'ann', body: JSON.stringify(body) })
        expect([body, response.status]).toEqual([body, 400])
      }
    })
  })
})

describe('extracted files', () => {
  it('run hooks one by one, and a refusal stops the job with its output', async () => {
    await using product = await startProduct({ storage: 'local' })
    await product.seed({ '/x.zip': zipOf(TREE) })
    const tell = `sh -c 'echo "$TRIGGER $FILE" >> /files/told.txt'`
    const stop = "sh -c 'case $FILE in *c.txt) echo no; exit 1;; esac'"
    await product.world.settings.change((before) => ({
      ...before,
      commands: { ...before.commands, before_upload: [stop], after_upload: [tell] },
    }))
    const job = await ended(product, await begin(product, { kind: 'extract', path: '/x.zip', destination: '/' }))
    expect(job).toMatchObject({ state: 'failed', error: { code: 'hook-failed', detail: { output: 'no' } } })
    expect((await product.read('/told.txt')).trim().split('\n')).toEqual([
      'after_upload /files/docs',
      'after_upload /files/docs/a.txt',
      'after_upload /files/docs/deep/b.txt',
    ])
    expect(await names(product, '/')).toEqual(['docs', 'told.txt', 'x.zip'])
  })

  it('are the same without a sandbox', async () => {
    const sandbox = { ...createBubblewrap(), unavailable: async () => 'not here' }
    await using product = await startProduct({ storage: 'local', exec: false, sandbox })
    await product.seed({ '/x.zip': zipOf(TREE), '/x.7z': await sevenZipOf({ 'd.txt': 'the text of d' }) })
    for (const path of ['/x.zip', '/x.7z'])
      expect(await ended(product, await begin(product, { kind: 'extract', path, destination: '/' }))).toMatchObject({ state: 'done' })
    expect(await product.read('/docs/a.txt')).toBe('the text of a')
    expect(await product.read('/d.txt')).toBe('the text of d')
  })
})

type Order = Parameters<ReturnType<Product['as']>['jobs']['start']>[0]['body']

async function done(product: Product, body: Order): Promise<Job> {
  return ended(product, await begin(product, body))
}

async function begin(product: Product, body: Order): Promise<string> {
  return (await product.as('ann').jobs.start({ body })).id
}

async function ended(product: Product, id: string): Promise<Job> {
  for (;;) {
    const job = (await product.as('ann').jobs.list({})).find((one) => one.id === id)
    if (job === undefined) throw new Error('no such job')
    if (job.state !== 'waiting' && job.state !== 'running') return job
    await Bun.sleep(10)
  }
}

async function names(product: Product, folder: string): Promise<string[]> {
  const { names: found } = await product.world.systemDrive.list(at(folder))
  return [...found].toSorted()
}
