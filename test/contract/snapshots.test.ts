import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { parseFilePath } from '../../src/shared/file-path.ts'
import { entriesOf, idOf, restore, SNAPSHOTTED, type Snapshotted, snapshotsOf, textOf } from './snapshots-calls.ts'
import { refusal } from './trash-calls.ts'
import { contentOf, contentsOf, restoreVersion, save, versionsOf } from './versions-calls.ts'
import { until } from './until.ts'
import { type Product, startProduct } from './world.ts'

setDefaultTimeout(300_000)

for (const [title, make] of Object.entries(SNAPSHOTTED)) {
  describe(`snapshots: ${title}`, () => {
    let home: string
    let disk: Snapshotted
    let product: Product
    let hour = 0
    /** Contents of different times. */
    const write = (path: string, text: string): void => {
      mkdirSync(join(disk.root, path, '..'), { recursive: true })
      writeFileSync(join(disk.root, path), text)
      const time = new Date(Date.UTC(2026, 4, 1, hour++))
      utimesSync(join(disk.root, path), time, time)
    }
    beforeEach(async () => {
      home = mkdtempSync(join(tmpdir(), 'satchel-snapshots-'))
      disk = make(home)
      write('a.txt', 'one')
      write('docs/deep/b.txt', 'b')
      disk.take('2026-05-01T00:00:00Z')
      write('a.txt', 'two')
      disk.take('2026-05-02T00:00:00Z')
      disk.take('2026-05-03T00:00:00Z')
      write('a.txt', 'three')
      product = await startProduct({ storage: { folder: disk.root }, snapshotsAt: disk.pattern })
    })
    afterEach(async () => {
      await product[Symbol.asyncDispose]()
      disk[Symbol.dispose]()
      rmSync(home, { recursive: true })
    })

    it('are versions of a file where it differs from the next newer one, with their names', async () => {
      const versions = await versionsOf(product, 'ann', '/a.txt')
      expect(versions.map(({ snapshot, at, by, size }) => ({ snapshot, at, by, size }))).toEqual([
        { snapshot: '2026-05-03T00:00:00Z', at: '2026-05-03T00:00:00.000Z', by: '', size: 3 },
        { snapshot: '2026-05-01T00:00:00Z', at: '2026-05-01T00:00:00.000Z', by: '', size: 3 },
      ])
      expect(await contentsOf(product, 'ann', '/a.txt')).toEqual(['two', 'one'])
      expect(await versionsOf(product, 'ann', '/docs/deep/b.txt')).toEqual([])
    })

    it('are among the versions that were kept, which are not listed twice', async () => {
      await save(product, 'ann', '/a.txt', 'four')
      disk.take('2026-05-04T00:00:00Z')
      await restoreVersion(product, 'ann', '/a.txt', (await versionsOf(product, 'ann', '/a.txt')).find((one) => !one.snapshot)?.id)
      expect(readFileSync(join(disk.root, 'a.txt'), 'utf8')).toBe('three')
      expect((await contentsOf(product, 'ann', '/a.txt')).toSorted()).toEqual(['four', 'one', 'two'])
    })

    it('are restored as a save, which keeps what was there, even if it was saved a moment ago', async () => {
      const [two] = await versionsOf(product, 'ann', '/a.txt')
      await save(product, 'ann', '/a.txt', 'four')
      await save(product, 'ann', '/a.txt', 'five')
      const response = await restoreVersion(product, 'ann', '/a.txt', two?.id)
      expect(response.headers.get('etag')).toMatch(/^"/)
      expect(readFileSync(join(disk.root, 'a.txt'), 'utf8')).toBe('two')
      expect(await contentsOf(product, 'ann', '/a.txt')).toContain('five')
      expect(await contentsOf(product, 'ann', '/a.txt')).toContain('three')
    })

    it('are never removed', async () => {
      const [two] = await versionsOf(product, 'ann', '/a.txt')
      const id = two?.id ?? ''
      expect(await refusal(product.as('root').versions.remove({ params: { path: parseFilePath('/a.txt') }, query: { id } }))).toBe(
        'not-found',
      )
      expect(await contentOf(product, 'ann', '/a.txt', id)).toBe('two')
    })

    it('have a folder as it was, compared with now, also if it is gone', async () => {
      write('docs/deep/c.txt', 'c')
      write('docs/deep/b.txt', 'b, changed')
      disk.take('2026-05-04T00:00:00Z')
      rmSync(join(disk.root, 'docs/deep/c.txt'))
      const [newest, ...others] = await snapshotsOf(product, 'ann', '/docs/deep')
      expect([newest?.name, others.length]).toEqual(['2026-05-04T00:00:00Z', 3])
      const now = async (id = 'none') => (await entriesOf(product, 'ann', '/docs/deep', id)).map((entry) => [entry.name, entry.now])
      expect(await now(newest?.id)).toEqual([
        ['b.txt', 'same'],
        ['c.txt', 'missing'],
      ])
      expect(await now(others.at(-1)?.id)).toEqual([['b.txt', 'different']])
      rmSync(join(disk.root, 'docs'), { recursive: true })
      expect(await snapshotsOf(product, 'ann', '/docs/deep')).toHaveLength(4)
      expect(await now(newest?.id)).toEqual([
        ['b.txt', 'missing'],
        ['c.txt', 'missing'],
      ])
      expect(await textOf(product, 'ann', '/docs/deep/c.txt', newest?.id ?? '')).toBe('c')
      expect(await snapshotsOf(product, 'ann', '/never')).toEqual([])
    })

    it('give files and folders back, with the answers to conflicts that copies know', async () => {
      const id = await idOf(product, 'ann', '2026-05-01T00:00:00Z')
      const text = (path: string): string => readFileSync(join(disk.root, path), 'utf8')
      rmSync(join(disk.root, 'docs'), { recursive: true })
      const both = [
        { from: '/docs', to: '/docs' },
        { from: '/a.txt', to: '/a.txt' },
      ]
      const partly = await restore(product, 'ann', id, ...both)
      expect([partly.state, partly.items, partly.failed.first.map(({ path, error }) => [path, error.code])]).toEqual([
        'failed',
        1,
        [['/a.txt', 'already-exists']],
      ])
      expect([text('docs/deep/b.txt'), text('a.txt')]).toEqual(['b', 'three'])
      expect(statSync(join(disk.root, 'docs/deep/b.txt')).mtimeMs % 3_600_000).toBe(0)
      expect(await restore(product, 'ann', id, { from: '/a.txt', to: '/a.txt', rename: true })).toMatchObject({ state: 'done', items: 1 })
      expect([text('a.txt'), text('a(1).txt')]).toEqual(['three', 'one'])
      write('docs/mine.txt', 'mine')
      const over = await restore(product, 'ann', id, ...both.map((item) => ({ ...item, replace: true })))
      expect([over.state, over.done, text('a.txt'), text('docs/mine.txt')]).toEqual(['done', 4, 'one', 'mine'])
      expect(await contentsOf(product, 'ann', '/a.txt')).toContain('three')
    })

    it('are given back as one gesture, which the journal knows as any other', async () => {
      const id = await idOf(product, 'ann', '2026-05-01T00:00:00Z')
      rmSync(join(disk.root, 'docs'), { recursive: true })
      const group = crypto.randomUUID()
      const items = [
        { from: '/docs', to: '/docs' },
        { from: '/a.txt', to: '/a.txt', replace: true },
      ]
      const started = await product.ask('/api/snapshots', {
        method: 'POST',
        who: 'ann',
        headers: { 'x-satchel-operation': group },
        body: JSON.stringify({ id, items }),
      })
      expect(started.status).toBe(200)
      while ((await product.as('ann').jobs.list({})).some(({ endedAt }) => endedAt === null)) await Bun.sleep(5)
      expect(readFileSync(join(disk.root, 'a.txt'), 'utf8')).toBe('one')
      const kinds = async () =>
        (await product.db.selectFrom('operations').select('kind').where('group_id', '=', group).orderBy('id').execute()).map(
          ({ kind }) => kind,
        )
      // What is settled is written soon.
      await until(async () => (await kinds()).length >= 4)
      expect(await kinds()).toEqual(['create', 'create', 'create', 'replace'])
    })

    it('are downloaded: a file, a folder, some of its entries, a part of a file', async () => {
      const id = await idOf(product, 'ann', '2026-05-01T00:00:00Z')
      expect(await textOf(product, 'ann', '/a.txt', id)).toBe('one')
      const part = await product.ask(`/api/snapshots/a.txt?raw=1&id=${encodeURIComponent(id)}`, {
        who: 'ann',
        headers: { range: 'bytes=1-' },
      })
      expect([part.status, await part.text()]).toEqual([206, 'ne'])
      for (const more of ['', '&files=docs,a.txt']) {
        const packed = await product.ask(`/api/snapshots/?raw=1&algo=tar&id=${encodeURIComponent(id)}${more}`, { who: 'ann' })
        expect([packed.status, (await packed.text()).includes('deep/b.txt')]).toEqual([200, true])
      }
    })

    it('that are gone in between are not found, and a new one is there within some seconds', async () => {
      const id = await idOf(product, 'ann', '2026-05-01T00:00:00Z')
      expect(await textOf(product, 'ann', '/a.txt', id)).toBe('one')
      const [, one] = await versionsOf(product, 'ann', '/a.txt')
      disk.drop('2026-05-01T00:00:00Z')
      expect(await refusal(textOf(product, 'ann', '/a.txt', id))).toBe('not-found')
      expect(await refusal(entriesOf(product, 'ann', '/', id))).toBe('not-found')
      expect(await refusal(contentOf(product, 'ann', '/a.txt', one?.id ?? ''))).toBe('not-found')
      expect(await refusal(restoreVersion(product, 'ann', '/a.txt', one?.id))).toBe('not-found')
      expect((await snapshotsOf(product, 'ann', '/')).map(({ name }) => name)).not.toContain('2026-05-01T00:00:00Z')
      disk.take('2026-05-05T00:00:00Z')
      await Bun.sleep(5100)
      expect((await snapshotsOf(product, 'ann', '/'))[0]?.name).toBe('2026-05-05T00:00:00Z')
    })
  })
}

describe('the time of a snapshot whose name has none', () => {
  let home: string
  beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'satchel-snapshots-'))))
  afterEach(() => rmSync(home, { recursive: true }))

  it('is that of its subvolume on Btrfs, although its folder looks as old as the original', async () => {
    using disk = SNAPSHOTTED['Btrfs, below the root']?.(home)
    if (disk === undefined) throw new Error('there is no Btrfs')
    const before = Date.now() - 1000
    utimesSync(disk.root, 1, 1)
    disk.take('before the upgrade')
    await using product = await startProduct({ storage: { folder: disk.root }, snapshotsAt: disk.pattern })
    const [snapshot] = await snapshotsOf(product, 'ann', '/')
    expect(Math.abs(Date.parse(snapshot?.at ?? '') - before)).toBeLessThan(60_000)
  })

  it('is what snapper noted', async () => {
    const root = join(home, 'root')
    mkdirSync(join(root, '.snapshots/7/snapshot'), { recursive: true })
    writeFileSync(join(root, '.snapshots/7/info.xml'), '<snapshot><date>2026-05-01 06:25:07</date></snapshot>')
    await using product = await startProduct({ storage: { folder: root }, snapshotsAt: '.snapshots/*/snapshot' })
    expect((await snapshotsOf(product, 'ann', '/')).map(({ name, at: time }) => [name, time])).toEqual([['7', '2026-05-01T06:25:07.000Z']])
  })

  it('is that of the folder’s content for rsnapshot, which renames its folders; an id does not mean another one afterwards', async () => {
    const root = join(home, 'root')
    mkdirSync(root)
    const time = new Date('2026-05-01T06:25:07Z')
    for (const [number, day] of [1, 2].entries()) {
      mkdirSync(join(home, `snaps/daily.${number}/srv`), { recursive: true })
      writeFileSync(join(home, `snaps/daily.${number}/srv/a.txt`), `of ${number}`)
      utimesSync(join(home, `snaps/daily.${number}`), time, new Date(time.getTime() - day * 86_400_000))
    }
    await using product = await startProduct({ storage: { folder: root }, snapshotsAt: join(home, 'snaps/daily.*/srv') })
    const [newest] = await snapshotsOf(product, 'ann', '/')
    expect(newest).toMatchObject({ name: 'daily.0', at: '2026-04-30T06:25:07.000Z' })
    renameSync(join(home, 'snaps/daily.1'), join(home, 'snaps/daily.2'))
    renameSync(join(home, 'snaps/daily.0'), join(home, 'snaps/daily.1'))
    await Bun.sleep(5100)
    expect(await refusal(textOf(product, 'ann', '/a.txt', newest?.id ?? ''))).toBe('not-found')
    expect(await textOf(product, 'ann', '/a.txt', await idOf(product, 'ann', 'daily.1'))).toBe('of 0')
    expect(existsSync(join(home, 'snaps/daily.0'))).toBe(false)
  })
})
