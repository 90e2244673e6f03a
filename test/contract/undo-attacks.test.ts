import { describe, expect, it } from 'bun:test'
import type { Permissions } from '../../src/shared/contract/users.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { listed, refusal, remove, restore } from './trash-calls.ts'
import { EVERYTHING, onEachStorage } from './world.ts'

const TREE = { '/d/a.txt': 'a', '/d/b.txt': 'b', '/d/sub/c.txt': 'c' }

onEachStorage((product) => {
  const ask = (who: string, method: string, address: string, group: string, body?: string) =>
    product().ask(address, { who, method, headers: { 'x-satchel-operation': group }, ...(body !== undefined && { body }) })
  const undo = (who: string, group: string) => product().as(who).operations.undo({ params: { group } })
  const redo = (who: string, group: string) => product().as(who).operations.redo({ params: { group } })
  const tree = async () =>
    Object.fromEntries(Object.entries(await product().snapshot()).filter(([path]) => path.startsWith('/') && !path.startsWith('/.satchel')))
  const query = (values: Record<string, string>) => new URLSearchParams(values).toString()

  /** What ann does, by the right that taking it back needs. */
  const DEEDS: Record<string, { by: (group: string) => Promise<unknown>; needs: keyof Permissions }> = {
    'a new file': { by: (group) => ask('ann', 'POST', '/api/resources/d/new.txt', group, 'new'), needs: 'delete' },
    'a copy': {
      by: (group) => ask('ann', 'PATCH', `/api/resources/d/sub?${query({ action: 'copy', destination: '/d/twice' })}`, group),
      needs: 'delete',
    },
    'a save': { by: (group) => ask('ann', 'PUT', '/api/resources/d/a.txt', group, 'changed'), needs: 'modify' },
    'a move': {
      by: (group) => ask('ann', 'PATCH', `/api/resources/d/a.txt?${query({ action: 'rename', destination: '/d/z.txt' })}`, group),
      needs: 'rename',
    },
    'a deletion': { by: (group) => ask('ann', 'DELETE', '/api/resources/d/sub', group), needs: 'create' },
    'a restoration': {
      async by(group) {
        await remove(product(), 'ann', '/d/b.txt')
        const [entry] = await listed(product(), 'ann')
        await product().ask(`/api/trash/${entry?.id ?? ''}/restore`, {
          who: 'ann',
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json', 'x-satchel-operation': group },
        })
      },
      needs: 'delete',
    },
  }

  describe('taking back', () => {
    for (const [deed, { by, needs }] of Object.entries(DEEDS)) {
      it(`${deed} needs the right to ${needs} now, whatever one had then`, async () => {
        await product().seed(TREE)
        const group = crypto.randomUUID()
        await by(group)
        const after = await tree()
        await product().setRights('ann', { ...EVERYTHING, [needs]: false })
        const { items } = await undo('ann', group)
        expect(items.map(({ outcome }) => outcome)).toEqual(['refused'])
        expect(await tree()).toEqual(after)
        // With the right, the same call changes something.
        await product().setRights('ann', EVERYTHING)
        expect((await undo('ann', group)).items.map(({ outcome }) => outcome)).toEqual(['done'])
        expect(await tree()).not.toEqual(after)
      })

      it(`${deed} changes nothing where a rule denies the folder since, nor outside of one's folder`, async () => {
        await product().seed({ ...TREE, '/elsewhere/x.txt': 'x' })
        const group = crypto.randomUUID()
        await by(group)
        const after = await tree()
        const attempts = async () => {
          expect((await undo('ann', group).catch(() => ({ items: [] }))).items.every(({ path }) => path === null)).toBe(true)
          await redo('ann', group).catch(() => null)
          expect(await tree()).toEqual(after)
          const seen = await product()
            .as('ann')
            .operations.list({ query: { path: '/', below: 'true' } })
          expect(seen.gestures.filter((one) => one.group === group)).toEqual([])
          expect((await product().as('ann').operations.latest({})).undo).toBe(null)
        }
        await product().setRules('ann', [{ regex: false, allow: false, path: '/d', regexp: null }])
        await attempts()
        await product().setRules('ann', [])
        await product().setScope('ann', '/elsewhere')
        await attempts()
      })
    }

    it('a gesture of somebody else: it cannot be joined, undone or redone, also by an account that has the name since', async () => {
      await product().seed(TREE)
      await product().add('bob')
      const group = crypto.randomUUID()
      await ask('ann', 'DELETE', '/api/resources/d/a.txt', group)
      const after = await tree()
      expect((await ask('bob', 'DELETE', '/api/resources/d/b.txt', group)).status).toBe(400)
      for (const call of [undo, redo]) expect(await refusal(call('bob', group))).toBe('not-found')
      const { id } = await product().account('ann')
      await product().world.users.remove(id)
      await product().add('ann')
      const headers = { 'x-auth': await product().signIn('ann') }
      for (const call of ['undo', 'redo'])
        expect((await product().ask(`/api/operations/${group}/${call}`, { method: 'POST', headers })).status).toBe(404)
      expect(await tree()).toEqual(after)
    })

    it('of a folder that somebody put something into, keeps what a rule hides from the user who takes it back', async () => {
      await product().seed({ '/d/': '' })
      const group = crypto.randomUUID()
      await ask('ann', 'POST', '/api/resources/d/new/', group)
      await ask('root', 'POST', '/api/resources/d/new/secret.txt', crypto.randomUUID(), 'secret')
      await product().setRules('ann', [{ regex: false, allow: false, path: '/d/new/secret.txt', regexp: null }])
      const { items } = await undo('ann', group)
      expect(items.map(({ outcome }) => outcome)).not.toContain('done')
      expect(await product().read('/d/new/secret.txt')).toBe('secret')
    })
  })

  describe('rewinding', () => {
    it('by somebody without the rights changes nothing', async () => {
      await product().seed(TREE)
      await Bun.sleep(5)
      const moment = product().world.clock().toISOString()
      await Bun.sleep(5)
      for (const { by } of Object.values(DEEDS)) await by(crypto.randomUUID())
      const after = await tree()
      await product().add('reader', { may: { ...EVERYTHING, create: false, rename: false, modify: false, delete: false } })
      const { job } = await product()
        .as('reader')
        .rewind.apply({ body: { path: '/d', to: moment } })
      for (;;) {
        const now = (await product().as('reader').jobs.list({})).find(({ id }) => id === job.id)
        if (now?.state === 'failed' || now?.state === 'done') {
          expect(now.state).toBe('failed')
          break
        }
        await Bun.sleep(10)
      }
      expect(await tree()).toEqual(after)
    })

    it('does not bring into view what a rule hides by its earlier place, nor moves into what it hides', async () => {
      await product().seed({ '/secret/s.txt': 's', '/d/open.txt': 'o' })
      await product().add('bob', { rules: [{ regex: false, allow: false, path: '/secret', regexp: null }] })
      await Bun.sleep(5)
      const moment = product().world.clock().toISOString()
      await Bun.sleep(5)
      await ask('ann', 'PATCH', `/api/resources/secret/s.txt?${query({ action: 'rename', destination: '/d/s.txt' })}`, crypto.randomUUID())
      await ask(
        'ann',
        'PATCH',
        `/api/resources/d/open.txt?${query({ action: 'rename', destination: '/secret/o.txt' })}`,
        crypto.randomUUID(),
      )
      await remove(product(), 'ann', '/secret/o.txt')
      const preview = await product()
        .as('bob')
        .rewind.preview({ query: { path: '/', to: moment } })
      expect(JSON.stringify(preview)).not.toContain('secret')
      expect(preview.changes.every(({ problem }) => problem === 'refused')).toBe(true)
      const { job } = await product()
        .as('bob')
        .rewind.apply({ body: { path: '/', to: moment } })
      for (;;) {
        const now = (await product().as('bob').jobs.list({})).find(({ id }) => id === job.id)
        if (now?.state === 'failed' || now?.state === 'done') {
          expect(JSON.stringify(now)).not.toContain('secret')
          break
        }
        await Bun.sleep(10)
      }
      expect(await product().read('/d/s.txt')).toBe('s')
      expect(await product().storage.stat(at('/d/open.txt'))).toBe(null)
      expect(await product().storage.stat(at('/secret/s.txt'))).toBe(null)
    })
  })

  it('hostile input is refused as such, and changes nothing', async () => {
    await product().seed(TREE)
    const before = await tree()
    const token = await product().tokenOf('ann')
    const status = async (address: string, init: RequestInit = {}) => {
      const { headers = {}, ...rest } = init
      return (await product().ask(address, { ...rest, headers: { 'x-auth': token, ...(headers as Record<string, string>) } })).status
    }
    for (const bad of [
      'path=/../etc',
      'path=/d%00',
      'path=/d&limit=0',
      'path=/d&limit=1e9',
      'path=/d&limit=-1',
      'path=/d&from=x',
      'path=/d&kind=x',
    ])
      expect([bad, await status(`/api/operations?${bad}`)]).toEqual([bad, 400])
    for (const after of ["'", 'x'.repeat(5000), '%00'])
      expect([200, 400]).toContain(await status(`/api/operations?path=/&below=true&after=${encodeURIComponent(after)}`))
    for (const group of ["'", '..', 'x'.repeat(5000), '%00', crypto.randomUUID()])
      expect([400, 404]).toContain(await status(`/api/operations/${encodeURIComponent(group)}/undo`, { method: 'POST' }))
    for (const to of ['', 'yesterday', '+999999-01-01T00:00:00Z', '2026-13-01T00:00:00Z'])
      expect([
        to,
        await status(`/api/rewind`, {
          method: 'POST',
          body: JSON.stringify({ path: '/d', to }),
          headers: { 'content-type': 'application/json' },
        }),
      ]).toEqual([to, 400])
    for (const header of ['x', "'", 'x'.repeat(2000)])
      expect(await status('/api/resources/d/a.txt', { method: 'DELETE', headers: { 'x-satchel-operation': header } })).toBe(400)
    expect(await tree()).toEqual(before)
    await restore(product(), 'ann', undefined).catch(() => null)
  })
})
