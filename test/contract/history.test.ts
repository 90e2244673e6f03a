import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, onEachStorage } from './world.ts'
import { refusal, remove } from './trash-calls.ts'

onEachStorage((product) => {
  type Query = Partial<Record<'below' | 'by' | 'kind' | 'after' | 'limit' | 'from' | 'to', string>>
  const list = (who: string, path: string, query: Query = {}) =>
    product()
      .as(who)
      .operations.list({ query: { path, ...query } as never })
  const told = async (who: string, path: string, query: Query = {}) =>
    (await list(who, path, query)).gestures.flatMap(({ by, items }) =>
      items.map((item) => `${by} ${item.kind} ${item.path} ${item.origin}`),
    )
  const upload = (path: string, who = 'ann', body = 'x') => product().ask(`/api/resources${path}`, { method: 'POST', who, body })
  const move = (path: string, destination: string, who = 'ann') =>
    product().ask(`/api/resources${path}?${new URLSearchParams({ action: 'rename', destination }).toString()}`, { method: 'PATCH', who })

  describe('the history', () => {
    it('of a node follows its moves and those of the folders above; of a folder it has everything below', async () => {
      await upload('/old/a.txt')
      await product().ask('/api/resources/old/a.txt', { method: 'PUT', who: 'root', body: 'more' })
      await move('/old/a.txt', '/old/b.txt')
      await move('/old', '/new')
      await upload('/old/a.txt', 'root')
      expect(await told('ann', '/new/b.txt')).toEqual([
        'ann move /old/b.txt /old/a.txt',
        'root replace /old/a.txt null',
        'ann create /old/a.txt null',
      ])
      expect(await told('ann', '/new', { below: 'true' })).toEqual([
        'ann move /new /old',
        'ann move /old/b.txt /old/a.txt',
        'root replace /old/a.txt null',
        'ann create /old null',
        'ann create /old/a.txt null',
      ])
      expect(await told('ann', '/', { below: 'true', by: 'root', kind: 'create' })).toEqual([
        'root create /old null',
        'root create /old/a.txt null',
      ])
      expect(await refusal(list('ann', '/gone'))).toBe('not-found')
    })

    it('comes in pages', async () => {
      for (let n = 0; n < 7; n++) await upload(`/d/${n}.txt`)
      for (const path of ['/d', '/']) {
        const names: (string | null | undefined)[] = []
        for (let after: string | null = ''; after !== null;) {
          const page: Awaited<ReturnType<typeof list>> = await list('ann', path, {
            below: 'true',
            limit: '3',
            ...(after !== '' && { after }),
          })
          names.push(...page.gestures.map(({ items }) => items.at(-1)?.path))
          after = page.next
        }
        expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `/d/${n}.txt`))
      }
    })

    it('tells nothing of what scope, rules or hidden names keep from its viewer', async () => {
      await product().seed({ '/d/': '', '/other/': '' })
      await product().add('bob', { rules: [deny('/d/secret')] })
      await product().add('eve', { may: { ...EVERYTHING, create: false } })
      await product().add('carl', { scope: '/other' })
      const group = crypto.randomUUID()
      const headers = { 'x-satchel-operation': group }
      for (const path of ['/d/secret/s.txt', '/d/open.txt'])
        await product().ask(`/api/resources${path}`, { method: 'POST', who: 'ann', body: 'x', headers })
      await move('/d/secret/s.txt', '/other/s.txt')
      await remove(product(), 'ann', '/d/open.txt')
      const all = { below: 'true' }
      expect(await told('bob', '/', all)).toEqual([
        'ann delete /d/open.txt null',
        'ann move /other/s.txt null',
        'ann create /d/open.txt null',
      ])
      expect((await list('bob', '/', all)).gestures.map(({ total }) => total)).toEqual([1, 1, 1])
      expect(await told('eve', '/d', all)).not.toContain('ann delete /d/open.txt null')
      expect(await told('carl', '/', all)).toEqual(['ann move /s.txt null'])
      expect(await told('root', '/', all)).toHaveLength(5)
      expect(await refusal(list('bob', '/d/secret'))).toBe('not-found')
      // A next page only for what it would show.
      expect((await list('carl', '/', { ...all, limit: '1' })).next).toBe(null)
      // Nobody takes back what somebody else did.
      for (const who of ['bob', 'root'])
        for (const call of ['undo', 'redo'] as const)
          expect(await refusal(product().as(who).operations[call]({ params: { group } }))).toBe('not-found')
    })
  })

  it('what can be taken back and done again next is what was done in the web', async () => {
    await product().seed({ '/a.txt': 'a', '/b.txt': 'b' })
    const { cookie, token } = await product().signInWeb('ann')
    const web = (address: string, method: string) =>
      product().ask(address, { method, headers: { cookie, 'x-auth': token, 'sec-fetch-site': 'same-origin' } })
    const latest = async () => {
      const { undo, redo } = (await (await web('/api/operations/latest', 'GET')).json()) as Record<
        'undo' | 'redo',
        { items: { path: string }[]; group: string } | null
      >
      return { undo: undo?.items[0]?.path, redo: redo?.items[0]?.path, group: undo?.group ?? '', again: redo?.group ?? '' }
    }
    await web('/api/resources/a.txt', 'DELETE')
    await web('/api/resources/b.txt', 'DELETE')
    await upload('/by-api.txt')
    const first = await latest()
    expect(first).toMatchObject({ undo: '/b.txt', redo: undefined })
    await web(`/api/operations/${first.group}/undo`, 'POST')
    const second = await latest()
    expect(second).toMatchObject({ undo: '/a.txt', redo: '/b.txt' })
    await web(`/api/operations/${second.again}/redo`, 'POST')
    expect(await latest()).toMatchObject({ undo: '/b.txt', redo: undefined })
    await web(`/api/operations/${first.group}/undo`, 'POST')
    await web('/api/resources/new/', 'POST')
    expect(await latest()).toMatchObject({ undo: '/new', redo: undefined })
    expect(await product().storage.stat(at('/b.txt'))).not.toBe(null)
  })
})
