import { describe, expect, it } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { onEachStorage } from './world.ts'
import { listed, refusal, remove, restore } from './trash-calls.ts'

onEachStorage((product) => {
  const ann = () => product().as('ann')
  const undo = (group: string) => ann().operations.undo({ params: { group } })
  const redo = (group: string) => ann().operations.redo({ params: { group } })
  const outcomes = async (call: ReturnType<typeof undo>) =>
    (await call).items.map(({ kind, path, outcome }) => `${kind} ${path} ${outcome}`)

  /** The served tree, without what is kept. */
  async function tree(): Promise<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(await product().snapshot()).filter(([path]) => path.startsWith('/') && !path.startsWith('/.satchel')),
    )
  }
  const upload = (path: string, body: string, group: string, { who = 'ann', ...query }: Record<string, string> = {}) =>
    product().ask(`/api/resources${path}?${new URLSearchParams(query).toString()}`, {
      method: 'POST',
      who,
      body,
      headers: { 'x-satchel-operation': group },
    })
  const save = (path: string, body: string, group: string, who = 'ann') =>
    product().ask(`/api/resources${path}`, { method: 'PUT', who, body, headers: { 'x-satchel-operation': group } })
  const patch = (path: string, destination: string, group: string, action = 'rename') =>
    product().ask(`/api/resources${path}?${new URLSearchParams({ action, destination }).toString()}`, {
      method: 'PATCH',
      who: 'ann',
      headers: { 'x-satchel-operation': group },
    })

  describe('undo and redo', () => {
    it('of a move over a file: both are back where they were, as often as asked', async () => {
      await product().seed({ '/a.txt': 'moved', '/docs/a.txt': 'replaced' })
      const before = await tree()
      const group = crypto.randomUUID()
      const address = `/api/resources/a.txt?${new URLSearchParams({ action: 'rename', destination: '/docs/a.txt', override: 'true' }).toString()}`
      expect((await product().ask(address, { method: 'PATCH', who: 'ann', headers: { 'x-satchel-operation': group } })).status).toBe(200)
      const after = await tree()
      for (let round = 0; round < 3; round++) {
        expect((await undo(group)).items.map(({ outcome }) => outcome)).not.toContain('gone')
        expect(await tree()).toEqual(before)
        await redo(group)
        expect(await tree()).toEqual(after)
      }
    })

    it('of deletions, as often as asked', async () => {
      await product().seed({ '/docs/a.txt': 'a', '/b.txt': 'b' })
      const group = crypto.randomUUID()
      for (const path of ['/docs', '/b.txt']) await remove(product(), 'ann', path, group)
      for (let round = 0; round < 3; round++) {
        expect(await outcomes(undo(group))).toEqual(['delete /docs done', 'delete /b.txt done'])
        expect(await product().read('/docs/a.txt')).toBe('a')
        expect((await undo(group)).group).toBe(null)
        expect((await redo(group)).items.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
        expect(await product().storage.stat(at('/b.txt'))).toBe(null)
        expect((await redo(group)).group).toBe(null)
      }
      expect(await refusal(product().as('root').operations.redo({ params: { group } }))).toBe('not-found')
    })

    it('of everything else, as often as asked', async () => {
      await product().seed({ '/docs/a.txt': 'a', '/b.txt': 'b', '/c/d.txt': 'd' })
      const group = crypto.randomUUID()
      const before = await tree()
      await upload('/new/', '', group)
      await upload('/new/deep/x.txt', 'x', group)
      await save('/docs/a.txt', 'a2', group)
      await patch('/b.txt', '/docs/b2.txt', group)
      await patch('/c', '/new/c2', group, 'copy')
      await upload('/c/d.txt', 'd2', group, { override: 'true' })
      await patch('/docs', '/papers', group)
      const after = await tree()
      expect(after).not.toEqual(before)
      for (let round = 0; round < 3; round++) {
        expect((await undo(group)).items.filter(({ outcome }) => outcome !== 'done')).toEqual([])
        expect(await tree()).toEqual(before)
        expect((await redo(group)).items.filter(({ outcome }) => outcome !== 'done')).toEqual([])
        expect(await tree()).toEqual(after)
      }
    })

    it('names what is not as it was left, and takes back the rest', async () => {
      await product().seed({ '/a.txt': 'a', '/b.txt': 'b', '/c.txt': 'c' })
      const group = crypto.randomUUID()
      await upload('/new/', '', group)
      await upload('/new/x.txt', 'x', group)
      await upload('/new/y.txt', 'y', group)
      await save('/a.txt', 'a2', group)
      await patch('/b.txt', '/b2.txt', group)
      await patch('/c.txt', '/c2.txt', group)
      await remove(product(), 'ann', '/c2.txt', group)
      const other = crypto.randomUUID()
      await upload('/new/x.txt', 'x of later', other, { override: 'true', who: 'root' })
      await save('/a.txt', 'a3', other, 'root')
      await upload('/b.txt', 'another b', other, { who: 'root' })
      await upload('/c.txt', 'another c', other, { who: 'root' })
      expect(await outcomes(undo(group))).toEqual([
        'create /new changed',
        'create /new/x.txt changed',
        'create /new/y.txt done',
        'replace /a.txt changed',
        'move /b2.txt conflict',
        'move /c2.txt conflict',
        'delete /c2.txt conflict',
      ])
      const contents = { '/new/x.txt': 'x of later', '/a.txt': 'a3', '/b.txt': 'another b', '/b2.txt': 'b', '/c.txt': 'another c' }
      for (const [path, content] of Object.entries(contents)) expect(await product().read(path)).toBe(content)
      expect(await product().storage.stat(at('/new/y.txt'))).toBe(null)
    })

    it('of a restoration from the trash, as of others', async () => {
      await product().seed({ '/docs/a.txt': 'a' })
      await remove(product(), 'ann', '/docs')
      const [docs] = await listed(product(), 'ann')
      await restore(product(), 'ann', docs, { to: '/back' })
      const [restored] = (await ann().operations.list({ query: { path: '/', below: 'true' } })).gestures
      expect(await outcomes(undo(restored?.group ?? ''))).toEqual(['restore /back done'])
      expect(await tree()).toEqual({})
      expect(await outcomes(redo(restored?.group ?? ''))).toEqual(['delete /back done'])
      expect(await product().read('/back/a.txt')).toBe('a')
    })
  })
})
