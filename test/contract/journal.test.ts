import { describe, expect, it } from 'bun:test'
import { bulkHead } from '../../src/shared/contract/bulk.ts'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { fromRow, type JournalEntry } from '../../src/server/journal/operation-row.ts'
import { tarOf } from './archive-samples.ts'
import { listed, remove, restore } from './trash-calls.ts'
import { until } from './until.ts'
import { replace, save, versionsOf } from './versions-calls.ts'
import { EVERYTHING, onEachStorage, type Product } from './world.ts'

const HEADER = 'x-satchel-operation'

async function rowsOf(product: Product): Promise<JournalEntry[]> {
  await product.world.journal.settled()
  return (await product.db.selectFrom('operations').selectAll().orderBy('id').execute()).map(fromRow)
}

/** Kind, where from, where to, state. */
async function told(product: Product): Promise<string[]> {
  return (await rowsOf(product)).map(({ kind, origin, path, state }) => `${kind} ${origin ?? ''}>${path} ${state}`)
}

onEachStorage((product) => {
  const ann = () => product().as('ann')
  const upload = (path: string, body: string) =>
    ann().resources.upload({ params: { path: at(path) }, query: {}, body: new TextEncoder().encode(body) })

  describe('the journal', () => {
    it('has a row for each node that appears, with what it is', async () => {
      await product().seed({ '/docs/a.txt': 'first' })
      await upload('/new/deep/b.txt', 'bee')
      await product().ask('/api/resources/folder/', { method: 'POST', who: 'ann' })
      await ann().bulk.upload({ body: `${bulkHead([{ path: '/c', size: 4 }])}bulk` })
      await ann().tus.create({ params: { path: at('/d') }, headers: { 'upload-length': '3' } })
      await ann().tus.append({
        params: { path: at('/d') },
        headers: { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE },
        body: 'tus',
      })
      expect(await told(product())).toEqual([
        'create >/new done',
        'create >/new/deep done',
        'create >/new/deep/b.txt done',
        'create >/folder done',
        'create >/c done',
        'create >/d done',
      ])
      for (const { path, identity, folder, size, modified, by, version, reverts } of await rowsOf(product())) {
        const stat = await product().storage.stat(path)
        expect([identity, folder]).toEqual([stat?.identity ?? '', stat?.kind === 'folder'])
        expect([size, modified]).toEqual(folder ? [null, null] : [stat?.size ?? 0, Math.round(stat?.modified ?? 0)])
        expect([by.name, by.via, version, reverts]).toEqual(['ann', 'api', null, null])
      }
    })

    it('has the version of what is replaced, and one row for saves that leave one version', async () => {
      await product().seed({ '/a': 'first' })
      await replace(product(), 'ann', '/a', 'second')
      await save(product(), 'ann', '/a', 'third')
      const versions = await versionsOf(product(), 'ann', '/a')
      expect((await rowsOf(product())).map(({ kind, version }) => [kind, version])).toEqual(
        versions.toReversed().map(({ id }) => ['replace', id]),
      )
      await save(product(), 'ann', '/a', 'the fourth')
      expect(await told(product())).toEqual(['replace >/a done', 'replace >/a done'])
      const last = (await rowsOf(product())).at(-1)
      expect(last).toMatchObject({ size: 10, identity: (await product().storage.stat(at('/a')))?.identity, version: versions[0]?.id })
      await save(product(), 'root', '/a', 'of somebody else')
      const [newest] = await versionsOf(product(), 'ann', '/a')
      expect((await rowsOf(product())).at(-1)).toMatchObject({ by: { name: 'root' }, version: newest?.id })
      await product()
        .as('ann')
        .versions.restore({ params: { path: at('/a') }, query: { id: versions[0]?.id ?? '' } })
      expect((await rowsOf(product())).at(-1)).toMatchObject({
        kind: 'replace',
        identity: (await product().storage.stat(at('/a')))?.identity,
      })
    })

    it('has one row for what is moved or copied as a whole, and one for each node of a merge', async () => {
      await product().seed({ '/a/x': 'x', '/a/sub/y': 'y', '/b/x': 'old', '/b/sub/': '' })
      const to = (action: 'copy' | 'rename', destination: string) => ({ action, destination, override: 'true' })
      await ann().resources.transfer({ params: { path: at('/a') }, query: to('copy', '/c') })
      await ann().resources.transfer({ params: { path: at('/a') }, query: to('copy', '/b') })
      await ann().resources.transfer({ params: { path: at('/c') }, query: to('rename', '/d/e') })
      await ann().resources.transfer({ params: { path: at('/d/e') }, query: to('rename', '/b') })
      expect((await told(product())).toSorted()).toEqual(
        [
          'copy /a>/c done',
          'replace /a/x>/b/x done',
          'copy /a/sub/y>/b/sub/y done',
          'create >/d done',
          'move /c>/d/e done',
          'move /d/e>/b failed',
          'move /d/e>/b done',
          'move /d/e/x>/b/x done',
          'move /d/e/sub>/b/sub failed',
          'move /d/e/sub>/b/sub done',
          'move /d/e/sub/y>/b/sub/y done',
        ].toSorted(),
      )
      const moved = (await rowsOf(product())).find(({ path, kind }) => path === '/b/x' && kind === 'move')
      expect(moved?.version).toBe((await versionsOf(product(), 'ann', '/b/x'))[0]?.id ?? '')
    })

    it('has deletions for good, and what goes to the trash and comes back', async () => {
      await product().seed({ '/a/x': 'x', '/b': 'b' })
      await ann().resources.remove({ params: { path: at('/a') }, query: { permanent: 'true' } })
      await remove(product(), 'ann', '/b')
      await restore(product(), 'ann', (await listed(product(), 'ann'))[0], { to: '/n/b' })
      expect(await told(product())).toEqual(['delete >/a purged', 'delete >/b undone', 'create >/n done', 'restore >/n/b done'])
    })

    it('does not have what failed', async () => {
      await product().seed({ '/a': 'a', '/b': 'b' })
      const failing = ann().resources.transfer({ params: { path: at('/a') }, query: { action: 'rename', destination: '/b' } })
      expect(await failing.catch(() => 'failed')).toBe('failed')
      expect(await upload('/a/c', 'c').catch(() => 'failed')).toBe('failed')
      expect((await told(product())).filter((row) => !row.endsWith('failed'))).toEqual([])
    })
  })

  describe('a gesture', () => {
    it('is named by the answer to every change, and by nothing else', async () => {
      await product().seed({ '/a': 'a', '/b': 'b' })
      const group = async (address: string, init: RequestInit = {}) =>
        (await product().ask(address, { who: 'ann', ...init })).headers.get(HEADER)
      const groups = [
        await group('/api/resources/c', { method: 'POST', body: 'c' }),
        await group('/api/resources/folder/', { method: 'POST' }),
        await group('/api/resources/a', { method: 'PUT', body: 'saved' }),
        await group('/api/resources/a?action=rename&destination=/d', { method: 'PATCH' }),
        await group('/api/resources/b?action=copy&destination=/e', { method: 'PATCH' }),
        await group('/api/resources/b', { method: 'DELETE' }),
      ]
      expect((await rowsOf(product())).map((row) => row.group)).toEqual(groups.map(String))
      expect(new Set(groups).size).toBe(6)
      expect(await group('/api/resources/d')).toBe(null)
      expect(await group('/api/resources/d', { method: 'POST', body: 'taken' })).toBe(null)
      expect(await group('/api/resources/d?permanent=true', { method: 'DELETE' })).toBe(null)
    })

    it('holds several requests of one user, also jobs', async () => {
      await product().seed({ '/a': 'a', '/p.tar': Buffer.from(tarOf([{ name: 'x', text: 'x' }])).toString('latin1') })
      const headers = { [HEADER]: crypto.randomUUID() }
      await ann().resources.upload({ params: { path: at('/b') }, query: {}, headers, body: new Uint8Array(3) })
      await ann().resources.transfer({ params: { path: at('/a') }, query: { action: 'rename', destination: '/c' }, headers })
      const job = { kind: 'extract', path: '/p.tar', destination: '/out', own: false, taken: 'refuse' } as const
      const started = await product().ask('/api/jobs', {
        who: 'ann',
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(job),
      })
      expect(started.headers.get(HEADER)).toBe(headers[HEADER])
      await until(async () => (await ann().jobs.list({}))[0]?.state === 'done')
      const rows = await rowsOf(product())
      expect(rows.map(({ path, by }) => `${path} ${by.via}`)).toEqual(['/b api', '/c api', '/out job', '/out/x job'])
      expect(new Set(rows.map(({ group }) => group))).toEqual(new Set([headers[HEADER]]))
    })

    it('of somebody else is refused before anything is changed, as is a malformed one', async () => {
      await product().add('ben', { may: EVERYTHING })
      await product().seed({ '/a': 'a' })
      const headers = { [HEADER]: crypto.randomUUID() }
      await ann().resources.upload({ params: { path: at('/b') }, query: {}, headers, body: new Uint8Array(3) })
      const before = await product().snapshot()
      const calls = [
        ['POST', '/api/resources/c'],
        ['POST', '/api/resources/folder/'],
        ['PUT', '/api/resources/a'],
        ['PATCH', '/api/resources/a?action=rename&destination=/d'],
        ['PATCH', '/api/resources/a?action=copy&destination=/d'],
        ['DELETE', '/api/resources/a'],
        ['DELETE', '/api/resources/a?permanent=true'],
      ] as const
      for (const sent of [headers[HEADER], 'x'])
        for (const [method, address] of calls) {
          const body = method === 'POST' || method === 'PUT' ? { body: 'text' } : {}
          const answer = await product().ask(address, { who: 'ben', method, headers: { [HEADER]: sent ?? '' }, ...body })
          expect([address, answer.status]).toEqual([address, 400])
        }
      expect(await product().snapshot()).toEqual(before)
      expect((await rowsOf(product())).map(({ by }) => by.name)).toEqual(['ann'])
    })
  })
})
