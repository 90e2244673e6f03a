import { describe, expect, it } from 'bun:test'
import { write } from '../../src/server/storage/test-samples.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, HOUR_MS, onEachStorage, type Product } from './world.ts'
import { listed, refusal, remove, restore, set } from './trash-calls.ts'
import { until } from './until.ts'

const TREE = { '/docs/a.txt': 'a', '/docs/sub/b.txt': 'bb', '/docs/sub/deep/c.txt': 'ccc', '/other.txt': 'other', '/pub/x.txt': 'x' }
const DAY_MS = 24 * HOUR_MS

onEachStorage((product) => {
  describe('the trash', () => {
    it('keeps what is deleted, and gives it back', async () => {
      await product().seed(TREE)
      const before = await product().snapshot()
      const group = await remove(product(), 'ann', '/docs')
      expect(await status(product(), 'ann', '/api/resources/docs/a.txt')).toBe(404)
      const [entry] = await listed(product(), 'ann')
      expect(entry).toMatchObject({ name: 'docs', path: '/docs', isDir: true, deletedBy: 'ann', via: 'api', mine: true, group })
      expect(Date.parse(entry?.expiresAt ?? '') - Date.parse(entry?.deletedAt ?? '')).toBe(30 * DAY_MS)
      expect(await restore(product(), 'ann', entry)).toEqual({ path: '/docs' })
      expect(await product().snapshot()).toEqual(before)
      expect(await listed(product(), 'ann')).toEqual([])
    })

    it('tells the size, of a folder as soon as it is counted', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs')
      await remove(product(), 'ann', '/other.txt')
      expect((await listed(product(), 'ann'))[0]?.size).toBe(5)
      await product().world.tidy()
      expect((await listed(product(), 'ann')).map(({ size }) => size)).toEqual([5, 6])
    })

    it('restores to another place, beside and over what is there, and creates missing folders', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/docs/a.txt')
      await product().seed({ '/docs/a.txt': 'new' })
      await remove(product(), 'ann', '/docs')
      const [docs, a] = await listed(product(), 'ann')
      // Its folder is in the trash itself.
      expect(await restore(product(), 'ann', a)).toEqual({ path: '/docs/a.txt' })
      expect(await refusal(restore(product(), 'ann', docs))).toBe('already-exists')
      expect(await refusal(restore(product(), 'ann', docs, { replace: true }))).toBe('already-exists')
      expect(await restore(product(), 'ann', docs, { rename: true })).toEqual({ path: '/docs(1)' })
      expect(await product().read('/docs(1)/a.txt')).toBe('new')
      expect(await product().read('/docs/a.txt')).toBe('a')
      await remove(product(), 'ann', '/docs/a.txt')
      const [again] = await listed(product(), 'ann')
      expect(await restore(product(), 'ann', again, { to: '/far/away/z.txt' })).toEqual({ path: '/far/away/z.txt' })
      expect(await product().read('/far/away/z.txt')).toBe('a')
      await remove(product(), 'ann', '/far/away/z.txt')
      const [file] = await listed(product(), 'ann')
      expect(await refusal(restore(product(), 'ann', file, { to: '/other.txt' }))).toBe('already-exists')
      expect(await restore(product(), 'ann', file, { to: '/other.txt', replace: true })).toEqual({ path: '/other.txt' })
      expect(await product().read('/other.txt')).toBe('a')
    })

    it('removes for good only when asked to, one or all', async () => {
      await product().seed(TREE)
      const permanent = await product().ask('/api/resources/pub?permanent=true', { method: 'DELETE', who: 'ann' })
      expect([permanent.status, permanent.headers.get('x-satchel-operation')]).toEqual([200, null])
      expect(await listed(product(), 'ann')).toEqual([])
      for (const path of ['/docs/sub', '/docs/a.txt', '/other.txt']) await remove(product(), 'ann', path)
      const [other] = await listed(product(), 'ann')
      await product()
        .as('ann')
        .trash.remove({ params: { id: other?.id ?? '' } })
      expect((await listed(product(), 'ann')).map(({ path }) => path)).toEqual(['/docs/a.txt', '/docs/sub'])
      expect(await refusal(restore(product(), 'ann', other))).toBe('not-found')
      await remove(product(), 'root', '/docs')
      const { job } = await product().as('ann').trash.empty({ query: {} })
      expect(job).toMatchObject({ kind: 'empty-trash', failed: { count: 0 } })
      await until(async () => (await product().as('ann').jobs.list({}))[0]?.state === 'done')
      expect((await product().as('ann').jobs.list({}))[0]).toMatchObject({ items: 2 })
      expect(await listed(product(), 'ann')).toEqual([])
      expect((await listed(product(), 'root', { all: 'true' })).map(({ path }) => path)).toEqual(['/docs'])
      expect(await product().storage.keptNodes('trash')).toHaveLength(1)
    })

    it('shows pages, the newest first, and finds names', async () => {
      const names = ['Ärger.txt', 'b_.txt', 'c%.txt', 'ärgern.txt', 'e.txt']
      await product().seed(Object.fromEntries(names.map((name) => [`/${name}`, name])))
      for (const name of names) await remove(product(), 'ann', `/${name}`)
      const first = await product()
        .as('ann')
        .trash.list({ query: { limit: '2' } })
      expect(first.entries.map(({ name }) => name)).toEqual(['e.txt', 'ärgern.txt'])
      const second = await product()
        .as('ann')
        .trash.list({ query: { limit: '2', after: first.next ?? '' } })
      const third = await product()
        .as('ann')
        .trash.list({ query: { limit: '2', after: second.next ?? '' } })
      expect([...second.entries, ...third.entries].map(({ name }) => name)).toEqual(['c%.txt', 'b_.txt', 'Ärger.txt'])
      expect(third.next).toBe(null)
      const found = async (text: string) => (await listed(product(), 'ann', { text })).map(({ name }) => name)
      expect(await found('ÄRGER')).toEqual(['ärgern.txt', 'Ärger.txt'])
      expect(await found('%')).toEqual(['c%.txt'])
      expect(await found('_')).toEqual(['b_.txt'])
      expect(await found('/')).toEqual([])
      for (const query of [{ limit: '0' }, { limit: '501' }, { after: 'x' }, { text: 'x'.repeat(201) }])
        expect(await refusal(product().as('ann').trash.list({ query }))).toBe('invalid-input')
    })

    it('undoes a gesture as far as it can, as often as asked', async () => {
      await product().seed(TREE)
      const group = crypto.randomUUID()
      for (const path of ['/docs/a.txt', '/docs/sub/b.txt', '/docs', '/other.txt', '/pub/x.txt'])
        await remove(product(), 'ann', path, group)
      await product().seed({ '/other.txt': 'taken' })
      const [x] = await listed(product(), 'ann')
      await product()
        .as('ann')
        .trash.remove({ params: { id: x?.id ?? '' } })
      const undo = async () => (await product().as('ann').operations.undo({ params: { group } })).items
      const items: Awaited<ReturnType<typeof undo>> = [
        { kind: 'delete', path: '/docs/a.txt', outcome: 'done' },
        { kind: 'delete', path: '/docs/sub/b.txt', outcome: 'done' },
        { kind: 'delete', path: '/docs', outcome: 'done' },
        { kind: 'delete', path: '/other.txt', outcome: 'conflict' },
        { kind: 'delete', path: '/pub/x.txt', outcome: 'gone' },
      ]
      expect(await Promise.all([undo(), undo()])).toEqual([items, items])
      expect(await product().read('/docs/sub/b.txt')).toBe('bb')
      expect(await product().read('/docs/sub/deep/c.txt')).toBe('ccc')
      expect(await product().read('/other.txt')).toBe('taken')
      expect(await undo()).toEqual(items)
      await product()
        .as('ann')
        .resources.remove({ params: { path: at('/other.txt') }, query: { permanent: 'true' } })
      expect((await undo())[3]).toEqual({ kind: 'delete', path: '/other.txt', outcome: 'done' })
      expect(await refusal(product().as('root').operations.undo({ params: { group } }))).toBe('not-found')
    })

    it('answers for paths that are not UTF-8 as for others', async () => {
      await product().seed({ '/docs/a.txt': 'a' })
      const folder = await product().ask('/api/resources/dir%FF/', { method: 'POST', who: 'ann' })
      expect(folder.status).toBe(400)
      await product().storage.makeFolder(at('/dir\udcff'))
      await product().storage.makeFolder(at('/dir\udcff/in'))
      const policy = (path: string) => product().as('ann').trash.policy({ query: { path } })
      expect(await policy('/dir\udcff')).toMatchObject({ restorable: true })
      expect(await refusal(policy('/dir\udcfe'))).toBe('not-found')
      expect(await refusal(policy('/dir\ufffd'))).toBe('not-found')
      await product().ask('/api/resources/dir%FF/in', { method: 'DELETE', who: 'ann' })
      expect((await listed(product(), 'ann', { path: '/dir\udcff' })).map(({ path }) => path)).toEqual(['/dir\udcff/in'])
      expect(await refusal(listed(product(), 'ann', { path: '/dir\udcfe' }))).toBe('not-found')
      for (const path of ['%2Fa%00', '..%2F', '/%ED%A0%80', '%', '%FF%2'])
        for (const call of ['/api/trash', '/api/trash/policy'])
          expect([400, 404]).toContain((await product().ask(`${call}?path=${path}`, { who: 'ann' })).status)
    })

    it('keeps names that are not UTF-8', async () => {
      await product().storage.makeFolder(at('/bad\udcff'))
      await write(product().storage, at('/bad\udcff/inner'), 'x')
      const response = await product().ask('/api/resources/bad%FF', { method: 'DELETE', who: 'ann' })
      expect(response.status).toBe(200)
      const [entry] = await listed(product(), 'ann')
      expect(entry?.path).toBe('/bad\udcff')
      await restore(product(), 'ann', entry)
      expect(await product().read('/bad\udcff/inner')).toBe('x')
    })

    it('refuses a malformed gesture, and one of somebody else, and deletes nothing then', async () => {
      await product().seed(TREE)
      const group = await remove(product(), 'root', '/pub')
      const before = await product().snapshot()
      for (const sent of ['x', group]) {
        const headers = { 'x-satchel-operation': sent }
        expect((await product().ask('/api/resources/docs', { method: 'DELETE', who: 'ann', headers })).status).toBe(400)
      }
      expect(await product().snapshot()).toEqual(before)
      expect(await listed(product(), 'ann')).toEqual([])
    })

    it('says how long a deletion can be undone', async () => {
      await product().seed(TREE)
      const policy = (...path: string[]) => product().as('ann').trash.policy({ query: { path } })
      expect(await policy('/docs', '/other.txt')).toEqual({ days: 30, share: 10, restorable: true })
      expect(await policy('/')).toMatchObject({ restorable: false })
      expect(await refusal(policy('/docs', '/gone'))).toBe('not-found')
      await set(product(), { trashDays: 0 })
      expect(await policy('/docs')).toEqual({ days: 0, share: 10, restorable: false })
    })
  })

  describe('who sees and restores', () => {
    it('only what rules and scope show them now', async () => {
      await product().seed({ ...TREE, '/docs/.hidden': 'h' })
      for (const path of ['/docs/sub/deep', '/docs/.hidden', '/other.txt']) await remove(product(), 'ann', path)
      const entries = await listed(product(), 'ann')
      await product().setRules('ann', [deny('/docs/sub')])
      expect((await listed(product(), 'ann')).map(({ path }) => path)).toEqual(['/other.txt', '/docs/.hidden'])
      for (const text of ['deep', 'DEEP']) expect(await listed(product(), 'ann', { text })).toEqual([])
      const deep = entries.find(({ name }) => name === 'deep')
      expect(await refusal(restore(product(), 'ann', deep, { to: '/mine' }))).toBe('not-found')
      expect(
        await refusal(
          product()
            .as('ann')
            .trash.remove({ params: { id: deep?.id ?? '' } }),
        ),
      ).toBe('not-found')
      expect(
        (
          await product()
            .as('ann')
            .operations.undo({ params: { group: deep?.group ?? '' } })
        ).items,
      ).toEqual([{ kind: 'delete', path: null, outcome: 'refused' }])
      await product().setRules('ann', [])
      const { id } = await product().account('ann')
      await product().db.updateTable('users').set({ scope: '/docs' }).where('id', '=', id).execute()
      product().restart()
      expect((await listed(product(), 'ann')).map(({ path }) => path)).toEqual(['/.hidden', '/sub/deep'])
      expect(await restore(product(), 'ann', deep)).toEqual({ path: '/sub/deep' })
      const other = entries.find(({ name }) => name === 'other.txt')
      expect(await refusal(restore(product(), 'ann', other))).toBe('not-found')
    })

    it('what is reached by its address only, below something denied, is shown to the user who deleted it', async () => {
      await product().seed({ '/a/b/c.txt': 'c', '/a/x.txt': 'x' })
      const allow = (path: string) => ({ ...deny(path), allow: true })
      await product().setRules('ann', [deny('/a'), allow('/a/b')])
      const group = await remove(product(), 'ann', '/a/b/c.txt')
      await remove(product(), 'root', '/a/x.txt')
      expect((await listed(product(), 'ann')).map(({ path }) => path)).toEqual(['/a/b/c.txt'])
      const undone = await product().as('ann').operations.undo({ params: { group } })
      expect(undone.items).toEqual([{ kind: 'delete', path: '/a/b/c.txt', outcome: 'done' }])
      await remove(product(), 'ann', '/a/b/c.txt')
      await product().setRules('ann', [deny('/a')])
      expect(await listed(product(), 'ann')).toEqual([])
    })

    it('others’ deletions only in a folder where they may create, and as administrators everywhere', async () => {
      await product().seed(TREE)
      await product().add('bob')
      await product().add('eve', { may: { ...EVERYTHING, create: false } })
      await product().add('carl', { scope: '/pub' })
      await remove(product(), 'ann', '/docs/a.txt')
      await remove(product(), 'ann', '/docs/sub/b.txt')
      const [b, a] = await listed(product(), 'ann')
      const here = async (who: string, path: string) => (await listed(product(), who, { path })).map((entry) => [entry.path, entry.mine])
      expect(await here('bob', '/docs')).toEqual([['/docs/a.txt', false]])
      expect(await here('ann', '/docs/')).toEqual([['/docs/a.txt', true]])
      expect(await here('eve', '/docs')).toEqual([])
      expect(await refusal(here('carl', '/docs'))).toBe('not-found')
      expect(await listed(product(), 'bob')).toEqual([])
      expect(await refusal(listed(product(), 'bob', { all: 'true' }))).toBe('forbidden')
      expect((await listed(product(), 'root', { all: 'true' })).map(({ path }) => path)).toEqual(['/docs/sub/b.txt', '/docs/a.txt'])
      // By its id.
      expect(await refusal(restore(product(), 'carl', a, { to: '/stolen' }))).toBe('not-found')
      expect(
        await refusal(
          product()
            .as('carl')
            .trash.remove({ params: { id: a?.id ?? '' } }),
        ),
      ).toBe('not-found')
      expect(
        await refusal(
          product()
            .as('bob')
            .trash.remove({ params: { id: a?.id ?? '' } }),
        ),
      ).toBe('forbidden')
      expect(await refusal(restore(product(), 'eve', a))).toBe('forbidden')
      expect(await restore(product(), 'bob', a)).toEqual({ path: '/docs/a.txt' })
      await product().setRules('bob', [deny('/docs/sub')])
      expect(await refusal(restore(product(), 'bob', b, { to: '/b.txt' }))).toBe('not-found')
      await product()
        .as('root')
        .trash.remove({ params: { id: b?.id ?? '' } })
      expect(await listed(product(), 'ann')).toEqual([])
    })

    it('needs the rights of creating and deleting', async () => {
      await product().seed(TREE)
      await remove(product(), 'ann', '/other.txt')
      const [other] = await listed(product(), 'ann')
      await product().setRights('ann', { ...EVERYTHING, create: false })
      expect(await refusal(restore(product(), 'ann', other))).toBe('forbidden')
      const undone = await product()
        .as('ann')
        .operations.undo({ params: { group: other?.group ?? '' } })
      expect(undone).toEqual({ items: [{ kind: 'delete', path: '/other.txt', outcome: 'refused' }], group: null, job: null })
      await product().setRights('ann', { ...EVERYTHING, delete: false })
      expect(
        await refusal(
          product()
            .as('ann')
            .trash.remove({ params: { id: other?.id ?? '' } }),
        ),
      ).toBe('forbidden')
      expect(await refusal(product().as('ann').trash.empty({ query: {} }))).toBe('forbidden')
      await product().seed({ '/there.txt': 'there' })
      await product().setRights('ann', { ...EVERYTHING, modify: false })
      expect(await refusal(restore(product(), 'ann', other, { to: '/there.txt', replace: true }))).toBe('forbidden')
      expect(await product().read('/there.txt')).toBe('there')
      expect(await restore(product(), 'ann', other)).toEqual({ path: '/other.txt' })
    })

    it('refuses a folder in which a rule denies anything, by its old or new path, and changes nothing (GHSA-77x8-73f4-5485)', async () => {
      await product().seed({ '/docs/secret/key': 'k', '/docs/a.txt': 'a', '/pub/': '' })
      await remove(product(), 'root', '/docs')
      const [docs] = await listed(product(), 'root')
      await product().add('bob', { rules: [deny('/docs/secret')] })
      await product().add('eve', { rules: [deny('/pub/docs/secret')] })
      await product().add('pat', { rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'key' } }] })
      const before = await product().snapshot()
      expect(await refusal(restore(product(), 'bob', docs, { to: '/pub/new/docs' }))).toBe('forbidden')
      expect(await refusal(restore(product(), 'eve', docs, { to: '/pub/docs' }))).toBe('forbidden')
      expect(await refusal(restore(product(), 'pat', docs))).toBe('forbidden')
      expect(await refusal(restore(product(), 'bob', docs, { to: '/docs/secret/x' }))).toBe('not-found')
      expect(await product().snapshot()).toEqual(before)
      expect(await restore(product(), 'root', docs)).toEqual({ path: '/docs' })
    })
  })
})

async function status(product: Product, who: string, address: string): Promise<number> {
  return (await product.ask(address, { who })).status
}
