import { describe, expect, it } from 'bun:test'
import { bulkHead } from '../../src/shared/contract/bulk.ts'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { fail } from '../../src/shared/errors.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { write } from '../../src/server/storage/test-samples.ts'
import { tarOf } from './archive-samples.ts'
import { listed, refusal, remove, restore } from './trash-calls.ts'
import { until } from './until.ts'
import { contentsOf, keptIds, removeVersion, replace, restoreVersion, save, setVersions, versionsOf } from './versions-calls.ts'
import { EVERYTHING, HOUR_MS, onEachStorage, type Product, startProduct } from './world.ts'

const A = '/docs/a.txt'
const TREE = { [A]: 'first', '/docs/b.txt': 'bee' }

onEachStorage((product) => {
  describe('replaced content', () => {
    it('of a save is a version, with who replaced it and when', async () => {
      await product().seed(TREE)
      const before = Date.now()
      await save(product(), 'ann', A, 'the second')
      await save(product(), 'root', A, 'the third')
      const { current, versions, policy } = await product()
        .as('ann')
        .versions.list({ params: { path: at(A) } })
      expect(current.size).toBe(9)
      expect(policy).toEqual({ days: 365, share: 10, keeps: true })
      expect(versions.map(({ by, size }) => [by, size])).toEqual([
        ['root', 10],
        ['ann', 5],
      ])
      for (const { at: time } of versions) expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
      expect(await contentsOf(product(), 'ann', A)).toEqual(['the second', 'first'])
      expect(await product().read(A)).toBe('the third')
    })

    it('is kept whatever replaces it: uploads, copies, moves, extraction, the trash', async () => {
      await product().seed({ ...TREE, '/x/a.txt': 'copied', '/y/a.txt': 'moved', '/z/a.txt': 'from the trash' })
      await product().seed({ '/p.tar': Buffer.from(tarOf([{ name: 'a.txt', text: 'extracted' }])).toString('latin1') })
      const ann = product().as('ann')
      await replace(product(), 'ann', A, 'uploaded')
      await ann.bulk.upload({ body: `${bulkHead([{ path: A, size: 4, override: true }])}bulk` })
      await ann.tus.create({ params: { path: at(A) }, query: { override: 'true' }, headers: { 'upload-length': '3' } })
      await ann.tus.append({ params: { path: at(A) }, headers: { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }, body: 'tus' })
      const over = { action: 'copy' as const, destination: A, override: 'true' }
      await ann.resources.transfer({ params: { path: at('/x/a.txt') }, query: over })
      await ann.resources.transfer({ params: { path: at('/y/a.txt') }, query: { ...over, action: 'rename' } })
      const job = { kind: 'extract' as const, path: '/p.tar', destination: '/docs', own: false, taken: 'replace' as const }
      await ann.jobs.start({ body: job })
      await until(async () => (await ann.jobs.list({}))[0]?.state === 'done')
      await remove(product(), 'ann', '/z/a.txt')
      const [trashed] = await listed(product(), 'ann')
      await restore(product(), 'ann', trashed, { to: A, replace: true })
      expect(await product().read(A)).toBe('from the trash')
      expect(await contentsOf(product(), 'ann', A)).toEqual(['extracted', 'moved', 'copied', 'tus', 'bulk', 'uploaded', 'first'])
    })

    it('is kept of each file when a folder is merged into another', async () => {
      await product().seed({ ...TREE, '/other/a.txt': 'other a', '/other/b.txt': 'other b', '/other/c.txt': 'other c' })
      const query = { action: 'rename' as const, destination: '/docs', override: 'true' }
      await product()
        .as('ann')
        .resources.transfer({ params: { path: at('/other') }, query })
      expect(await contentsOf(product(), 'ann', A)).toEqual(['first'])
      expect(await contentsOf(product(), 'ann', '/docs/b.txt')).toEqual(['bee'])
      expect(await contentsOf(product(), 'ann', '/docs/c.txt')).toEqual([])
    })

    it('of the saves of one person within ten minutes is one version', async () => {
      await product().seed(TREE)
      product().stopClock()
      await save(product(), 'ann', A, 'a word')
      await save(product(), 'ann', A, 'two words')
      await save(product(), 'root', A, 'from root')
      await save(product(), 'ann', A, 'three words')
      for (const text of ['four', 'five']) await save(product(), 'ann', A, text)
      expect(await contentsOf(product(), 'ann', A)).toEqual(['from root', 'two words', 'first'])
      product().pass(10 * 60_000)
      await save(product(), 'ann', A, 'six')
      await save(product(), 'ann', A, 'seven')
      expect(await contentsOf(product(), 'ann', A)).toEqual(['five', 'from root', 'two words', 'first'])
    })

    it('that another program wrote meanwhile is kept, and so is an upload', async () => {
      await product().seed(TREE)
      await save(product(), 'ann', A, 'a word')
      await write(product().storage, at(A), 'from elsewhere', { replace: true })
      await save(product(), 'ann', A, 'two words')
      await replace(product(), 'ann', A, 'uploaded')
      await save(product(), 'ann', A, 'three words')
      expect(await contentsOf(product(), 'ann', A)).toEqual(['uploaded', 'two words', 'from elsewhere', 'first'])
    })

    it('is none where nothing was there; where nothing was in it, it is kept and not listed', async () => {
      await replace(product(), 'ann', '/new.txt', '')
      await replace(product(), 'ann', '/new.txt', 'text')
      expect(await versionsOf(product(), 'ann', '/new.txt')).toEqual([])
      expect(await keptIds(product())).toHaveLength(1)
    })

    it('is not kept if a save is refused', async () => {
      await product().seed(TREE)
      const call = product()
        .as('ann')
        .resources.save({ params: { path: at(A) }, headers: { 'if-match': '"other"' }, body: 'x' })
      expect(await refusal(call)).toBe('precondition-failed')
      const ontoFolder = product()
        .as('ann')
        .resources.upload({ params: { path: at('/docs') }, query: { override: 'true' }, body: 'x' })
      expect(await refusal(ontoFolder)).toBe('already-exists')
      expect(await keptIds(product())).toEqual([])
      expect(await product().db.selectFrom('versions').select('id').execute()).toEqual([])
    })
  })

  describe('a version', () => {
    it('is sent like a file: whole, in part, for looking at or saving', async () => {
      await product().seed(TREE)
      await save(product(), 'ann', A, 'second')
      const [version] = await versionsOf(product(), 'ann', A)
      const ask = (more = '', headers = {}) => product().ask(`/api/versions${A}?id=${version?.id}${more}`, { who: 'ann', headers })
      const whole = await ask()
      expect([whole.status, await whole.text()]).toEqual([200, 'first'])
      expect(whole.headers.get('content-disposition')).toContain('a.txt')
      expect((await ask('&inline=true')).headers.get('content-type')).toStartWith('text/plain')
      const part = await ask('', { range: 'bytes=1-3' })
      expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'irs', 'bytes 1-3/5'])
      const same = await ask('', { 'if-none-match': whole.headers.get('etag') ?? '' })
      expect(same.status).toBe(304)
    })

    it('becomes the content again, and the present content a version', async () => {
      await product().seed(TREE)
      await save(product(), 'ann', A, 'second')
      const [version] = await versionsOf(product(), 'ann', A)
      const before = await product().storage.stat(at(A))
      const response = await restoreVersion(product(), 'root', A, version?.id)
      expect(await product().read(A)).toBe('first')
      expect(await contentsOf(product(), 'ann', A)).toEqual(['second'])
      expect((await versionsOf(product(), 'ann', A))[0]?.by).toBe('root')
      const after = await product().storage.stat(at(A))
      expect(after?.mode).toBe(before?.mode ?? 0)
      expect(after?.modified).toBeGreaterThanOrEqual(before?.modified ?? Infinity)
      const now = await product().ask(`/api/resources${A}`, { who: 'ann' })
      expect(now.headers.get('etag')).toBe(response.headers.get('etag'))
      await restoreVersion(product(), 'ann', A, (await versionsOf(product(), 'ann', A))[0]?.id)
      expect([await product().read(A), await contentsOf(product(), 'ann', A)]).toEqual(['second', ['first']])
    })

    it('is told to hooks and links like a save when it is restored', async () => {
      await product().seed(TREE)
      await product().world.settings.change((all) => ({ ...all, commands: { ...all.commands, before_save: ['false'] } }))
      await replace(product(), 'ann', A, 'second')
      const [version] = await versionsOf(product(), 'ann', A)
      const { hash } = await product()
        .as('ann')
        .shares.create({ params: { path: at(A) }, body: '' })
      expect(await refusal(restoreVersion(product(), 'ann', A, version?.id))).toBe('hook-failed')
      expect([await product().read(A), await contentsOf(product(), 'ann', A)]).toEqual(['second', ['first']])
      await product().world.settings.change((all) => ({ ...all, commands: { ...all.commands, before_save: [] } }))
      await restoreVersion(product(), 'ann', A, version?.id)
      expect(await (await product().ask(`/api/public/dl/${hash}`)).text()).toBe('first')
    })

    it('is removed by a user who may delete and modify', async () => {
      await product().seed(TREE)
      for (const text of ['second', 'third']) await replace(product(), 'ann', A, text)
      const [second] = await versionsOf(product(), 'ann', A)
      for (const right of ['delete', 'modify'] as const) {
        await product().add(`no-${right}`, { may: { ...EVERYTHING, [right]: false } })
        expect(await refusal(removeVersion(product(), `no-${right}`, A, second?.id))).toBe('forbidden')
      }
      await removeVersion(product(), 'ann', A, second?.id)
      expect(await contentsOf(product(), 'ann', A)).toEqual(['first'])
      expect(await refusal(removeVersion(product(), 'ann', A, second?.id))).toBe('not-found')
      expect(await keptIds(product())).toHaveLength(1)
    })

    it('is none of a folder, and none of what is not there', async () => {
      await product().seed(TREE)
      for (const path of ['/', '/docs', '/none']) expect(await refusal(versionsOf(product(), 'ann', path))).toBe('not-found')
    })
  })

  describe('versions follow their file', () => {
    const move = (from: string, to: string) =>
      product()
        .as('ann')
        .resources.transfer({ params: { path: at(from) }, query: { action: 'rename', destination: to } })

    it('when it or a folder above is renamed or moved', async () => {
      await product().seed({ ...TREE, '/docsx/a.txt': 'like docs' })
      await replace(product(), 'ann', A, 'second')
      await replace(product(), 'ann', '/docsx/a.txt', 'other')
      await move(A, '/docs/ä.txt')
      await move('/docs', '/far')
      expect(await contentsOf(product(), 'ann', '/far/ä.txt')).toEqual(['first'])
      expect(await contentsOf(product(), 'ann', '/docsx/a.txt')).toEqual(['like docs'])
      await product().seed(TREE)
      expect(await contentsOf(product(), 'ann', A)).toEqual([])
    })

    it('to the trash and back, also to another place, and another file of its name has none', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await remove(product(), 'ann', '/docs')
      await product().seed(TREE)
      expect(await contentsOf(product(), 'ann', A)).toEqual([])
      await replace(product(), 'ann', A, 'new second')
      const [entry] = await listed(product(), 'ann')
      await restore(product(), 'ann', entry, { to: '/back' })
      expect(await contentsOf(product(), 'ann', '/back/a.txt')).toEqual(['first'])
      expect(await contentsOf(product(), 'ann', A)).toEqual(['first'])
      expect(await product().read('/back/a.txt')).toBe('second')
    })

    it('for good when it is deleted for good, from the trash too', async () => {
      await product().seed(TREE)
      await replace(product(), 'ann', A, 'second')
      await replace(product(), 'ann', '/docs/b.txt', 'second')
      await product()
        .as('ann')
        .resources.remove({ params: { path: at(A) }, query: { permanent: 'true' } })
      await until(async () => (await keptIds(product())).length === 1)
      await remove(product(), 'ann', '/docs/b.txt')
      expect(await keptIds(product())).toHaveLength(1)
      await product()
        .as('ann')
        .trash.remove({ params: { id: (await listed(product(), 'ann'))[0]?.id ?? '' } })
      await until(async () => (await keptIds(product())).length === 0)
      await until(async () => (await product().db.selectFrom('versions').select('id').execute()).length === 0)
    })

    it('through a link to it', async () => {
      await product().seed(TREE)
      await product().link('/link.txt', 'docs/a.txt')
      await replace(product(), 'ann', '/link.txt', 'second')
      expect(await contentsOf(product(), 'ann', A)).toEqual(['first'])
      expect(await contentsOf(product(), 'ann', '/link.txt')).toEqual(['first'])
    })
  })

  describe('the settings', () => {
    it('say for how many days, and 0 for none', async () => {
      await product().seed(TREE)
      for (const text of ['second', 'third']) await replace(product(), 'ann', A, text)
      const [, first] = await versionsOf(product(), 'ann', A)
      await older(product(), [first?.id ?? ''], 366 * 24 * HOUR_MS)
      await product().world.tidy()
      expect(await contentsOf(product(), 'ann', A)).toEqual(['second'])
      await setVersions(product(), { versionDays: 0 })
      await replace(product(), 'ann', A, 'fourth')
      expect(
        (
          await product()
            .as('ann')
            .versions.list({ params: { path: at(A) } })
        ).policy,
      ).toMatchObject({ days: 0, keeps: false })
      expect(await contentsOf(product(), 'ann', A)).toEqual(['second'])
      await product().world.tidy()
      expect([await contentsOf(product(), 'ann', A), await keptIds(product())]).toEqual([[], []])
    })

    it('thin out versions: all of a day, then hourly, daily and weekly', async () => {
      await product().seed(TREE)
      for (let n = 1; n <= 14; n++) await replace(product(), 'ann', A, `content ${n}`)
      const ids = (await versionsOf(product(), 'ann', A)).map(({ id }) => id)
      const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
      const day = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS
      const week = Math.floor(Date.now() / (168 * HOUR_MS)) * 168 * HOUR_MS
      const newerThanADay = [Date.now() - 60_000, Date.now() - 120_000]
      const ofTwoHours = [hour - 30 * HOUR_MS + 2, hour - 30 * HOUR_MS + 1, hour - 30 * HOUR_MS, hour - 31 * HOUR_MS]
      const ofTwoDays = [day - 240 * HOUR_MS + 2 * HOUR_MS, day - 240 * HOUR_MS + HOUR_MS, day - 264 * HOUR_MS]
      const ofTwoWeeks = [week - 2520 * HOUR_MS + 50 * HOUR_MS, week - 2520 * HOUR_MS + HOUR_MS, week - 2688 * HOUR_MS]
      const times = [...newerThanADay, ...ofTwoHours, ...ofTwoDays, ...ofTwoWeeks, Date.now() - 366 * 24 * HOUR_MS, 0]
      for (const [index, id] of ids.entries())
        await product()
          .db.updateTable('versions')
          .set({ at: times[index] ?? 0 })
          .where('id', '=', id)
          .execute()
      await product().world.tidy()
      const left = (await versionsOf(product(), 'ann', A)).map(({ id }) => ids.indexOf(id))
      expect(left).toEqual([0, 1, 2, 5, 6, 8, 9, 11])
      expect((await keptIds(product())).toSorted()).toEqual(left.map((index) => ids[index] ?? '').toSorted())
      await product().world.tidy()
      expect(await versionsOf(product(), 'ann', A)).toHaveLength(left.length)
    })

    it('are checked', async () => {
      const settings = await product().as('root').settings.get({})
      for (const wrong of [{ versionDays: -1 }, { versionDays: 3651 }, { versionDays: 1.5 }, { versionShare: 0 }, { versionShare: 101 }])
        expect(
          await refusal(
            product()
              .as('root')
              .settings.update({ body: { ...settings, ...wrong } }),
          ),
        ).toBe('invalid-input')
      await product()
        .as('root')
        .settings.update({ body: { ...settings, versionDays: 7, versionShare: 3 } })
      expect(await product().as('root').settings.get({})).toMatchObject({ versionDays: 7, versionShare: 3 })
    })
  })
})

describe('the share of a disk', () => {
  it('is enforced: the oldest versions go, and what is larger is never kept', async () => {
    await using product = await startProduct({ storage: { capacity: 100_000 } })
    await setVersions(product, { versionShare: 10 })
    await product.seed({ [A]: 'x'.repeat(4000), '/large.bin': 'x'.repeat(10_001) })
    for (const text of ['1', '2', '3', '4']) await replace(product, 'ann', A, text.repeat(4000))
    const sizes = async () => (await versionsOf(product, 'ann', A)).length
    expect(await sizes()).toBe(4)
    await product.world.tidy()
    expect((await contentsOf(product, 'ann', A)).map((text) => text[0])).toEqual(['3', '2'])
    expect(await keptIds(product)).toHaveLength(2)
    expect((await product.as('ann').versions.list({ params: { path: at('/large.bin') } })).policy.keeps).toBe(false)
    await replace(product, 'ann', '/large.bin', 'small')
    expect(await versionsOf(product, 'ann', '/large.bin')).toEqual([])
  })

  it('is looked at soon after a replacement, without waiting for a sweep', async () => {
    await using product = await startProduct({ storage: { capacity: 100_000 } })
    await product.seed({ [A]: 'x'.repeat(4000) })
    for (const text of ['1', '2', '3', '4']) await replace(product, 'ann', A, text.repeat(4000))
    await until(async () => (await keptIds(product)).length === 2)
  })

  it('does not keep a save from a disk without room for a version', async () => {
    let isFull = false
    await using product = await startProduct({
      around: (storage) => ({
        ...storage,
        stage(id, options) {
          const staged = storage.stage(id, options)
          return {
            ...staged,
            async commit(where, how) {
              if (isFull && how.keep !== undefined) fail('storage-full', {})
              return staged.commit(where, how)
            },
          }
        },
      }),
    })
    await product.seed(TREE)
    isFull = true
    await save(product, 'ann', A, 'second')
    expect([await product.read(A), await versionsOf(product, 'ann', A)]).toEqual(['second', []])
  })
})

/** Versions become older; sessions do not. */
async function older({ db }: Product, ids: readonly string[], ms: number): Promise<void> {
  await db
    .updateTable('versions')
    .set((eb) => ({ at: eb('at', '-', ms) }))
    .where('id', 'in', ids)
    .execute()
}
