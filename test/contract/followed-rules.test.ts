import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { ROLES } from '../../src/shared/contract/rights.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { EVERYTHING, onEachStorage, type Product, deny } from './world.ts'

setDefaultTimeout(30_000)

const TREE = { '/team/plan.txt': 'plan', '/team/secret/s.txt': 's', '/archive/old.txt': 'old' }

onEachStorage((product) => {
  const status = async (who: string, method: string, address: string, headers: Record<string, string> = {}) => {
    const response = await product().ask(address, { who, method, headers })
    await response.body?.cancel()
    return response.status
  }
  const read = (who: string, path: string) => status(who, 'GET', `/api/raw${path}`)
  const move = (who: string, from: string, to: string, more: Record<string, string> = {}) =>
    status(who, 'PATCH', `/api/resources${from}?${new URLSearchParams({ action: 'rename', destination: to, ...more }).toString()}`)
  const grants = async () =>
    (await product().db.selectFrom('grants').select(['subject', 'path']).orderBy('path').execute()).map(
      ({ subject, path }) => `${subject} ${path}`,
    )
  const grant = async (kind: 'user' | 'everybody', who: string, path: string, role: keyof typeof ROLES) => {
    const id = kind === 'user' ? (await product().account(who)).id : 0
    await product()
      .as('root')
      .access.set({ params: { path: at(path) }, body: { who: { kind, id }, rights: [...ROLES[role]] } })
    return `${kind === 'user' ? `user ${id}` : kind} `
  }

  describe('a role on a folder', () => {
    it('follows a rename, a move, and what takes them back, with roles on what is in it', async () => {
      await product().seed(TREE)
      await product().add('bob', { may: { ...EVERYTHING, delete: false, modify: false } })
      const bob = await grant('user', 'bob', '/team', 'editor')
      await grant('user', 'bob', '/team/plan.txt', 'viewer')
      const group = crypto.randomUUID()
      const moving = await product().ask('/api/resources/team?action=rename&destination=/archive/crew', {
        who: 'ann',
        method: 'PATCH',
        headers: { 'x-satchel-operation': group },
      })
      expect(moving.status).toBe(200)
      expect(await grants()).toEqual([`${bob}/archive/crew`, `${bob}/archive/crew/plan.txt`])
      expect(await status('bob', 'DELETE', '/api/resources/archive/crew/plan.txt')).toBe(403)
      expect(await status('bob', 'DELETE', '/api/resources/archive/crew/secret')).toBe(200)
      await product().as('ann').operations.undo({ params: { group } })
      expect(await grants()).toEqual([`${bob}/team`, `${bob}/team/plan.txt`])
      await product().as('ann').operations.redo({ params: { group } })
      expect(await grants()).toEqual([`${bob}/archive/crew`, `${bob}/archive/crew/plan.txt`])
      const { entries } = await product()
        .as('root')
        .audit.list({ query: { kind: 'access-changed' } })
      expect(entries[0]).toMatchObject({ who: 'ann', subject: '/archive/crew', details: [{ place: 'path', before: '/team' }] })
    })

    it('does what the explanation says, out of the reach of one above and into a folder with another one', async () => {
      await product().seed(TREE)
      await product().add('bob', { may: EVERYTHING })
      await grant('everybody', '', '/team', 'viewer')
      await grant('user', 'bob', '/team/secret', 'contributor')
      await grant('user', 'bob', '/archive', 'viewer')
      const shown = async (path: string) => {
        const { people } = await product()
          .as('root')
          .explain.reach({ params: { path: at(path) }, query: { text: 'bob' } })
        return people[0]?.rights
      }
      const before = await shown('/team/secret')
      expect(await move('root', '/team/secret', '/archive/secret')).toBe(200)
      expect(before).toEqual([...ROLES.contributor])
      expect(await shown('/archive/secret')).toEqual(before)
      // What only a role above decided is decided by what is above now.
      expect(await move('root', '/team/plan.txt', '/plan.txt')).toBe(200)
      expect(await status('bob', 'DELETE', '/api/resources/archive/secret/s.txt')).toBe(403)
      expect(await status('bob', 'DELETE', '/api/resources/plan.txt')).toBe(200)
    })

    it('stays with its path when the folder is merged into one that was there: that one is another folder', async () => {
      await product().seed({ ...TREE, '/archive/team/t.txt': 't', '/team/new/n.txt': 'n' })
      await product().add('bob', { may: { ...EVERYTHING, delete: false } })
      const bob = await grant('user', 'bob', '/team', 'editor')
      await grant('user', 'bob', '/team/new', 'editor')
      const group = crypto.randomUUID()
      const moving = await product().ask('/api/resources/team?action=rename&destination=/archive/team&override=true', {
        who: 'ann',
        method: 'PATCH',
        headers: { 'x-satchel-operation': group },
      })
      expect(moving.status).toBe(200)
      expect(await grants()).toEqual([`${bob}/archive/team/new`, `${bob}/team`])
      expect(await status('bob', 'DELETE', '/api/resources/archive/team/t.txt')).toBe(403)
      await product().as('ann').operations.undo({ params: { group } })
      expect(await grants()).toEqual([`${bob}/team`, `${bob}/team/new`])
    })

    it('stays where its subject has another one at the new path, which decides', async () => {
      await product().seed(TREE)
      await product().add('bob', { may: EVERYTHING })
      const bob = await grant('user', 'bob', '/team', 'editor')
      await product()
        .db.insertInto('grants')
        .values({ id: 'x', subject: bob.trim(), regex: 0, path: '/crew', rights: '["download"]' })
        .execute()
      expect(await move('ann', '/team', '/crew')).toBe(200)
      expect(await grants()).toEqual([`${bob}/crew`, `${bob}/team`])
      expect(await status('bob', 'DELETE', '/api/resources/crew/secret')).toBe(403)
    })

    it('follows what is restored to another path', async () => {
      await product().seed(TREE)
      await product().add('bob')
      const bob = await grant('user', 'bob', '/team/secret', 'viewer')
      await status('ann', 'DELETE', '/api/resources/team/secret')
      expect(await grants()).toEqual([`${bob}/team/secret`])
      await product().seed({ '/team/secret/other.txt': 'o' })
      const { entries } = await product().as('ann').trash.list({ query: {} })
      await product()
        .as('ann')
        .trash.restore({ params: { id: entries[0]?.id ?? '' }, body: { rename: true } })
      expect(await grants()).toEqual([`${bob}/team/secret(1)`])
    })
  })

  describe('a rule that denies', () => {
    it('A29: is not shed by moving what it denies, or the folder around that, whoever moves it', async () => {
      await product().seed(TREE)
      await product().add('bob', { rules: [deny('/team/secret')] })
      for (const [from, to] of [
        ['/team/secret', '/mine'],
        ['/team', '/crew'],
        ['/team', '/archive/crew'],
      ] as const)
        expect([from, [403, 404].includes(await move('bob', from, to))]).toEqual([from, true])
      const before = await rulesOf(product(), 'bob')
      expect(await move('ann', '/team', '/crew')).toBe(200)
      expect(await read('bob', '/crew/secret/s.txt')).toBe(404)
      expect(await read('bob', '/crew/plan.txt')).toBe(200)
      expect(await move('bob', '/crew', '/team')).toBe(403)
      const followed = await rulesOf(product(), 'bob')
      // With the mechanism off, the rule stays at the old path, and the attack succeeds.
      await product().setRules('bob', before)
      expect(await read('bob', '/crew/secret/s.txt')).toBe(200)
      await product().setRules('bob', followed)
      expect(await move('ann', '/crew', '/team')).toBe(200)
      expect(await rulesOf(product(), 'bob')).toEqual(before)
    })

    it('of everybody or a group follows as long as its people have one folder, and is about the name where they have several', async () => {
      await product().seed(TREE)
      await product().add('bob')
      const root = product().as('root')
      const { id } = await root.groups.create({ body: { name: 'team', rules: [deny('/team/plan.txt')] } })
      await root.groups.addMember({ params: { id: String(id), user: String((await product().account('bob')).id) }, body: {} })
      await product().world.settings.change((before) => ({ ...before, rules: [deny('/team/secret')] }))
      await product().setRules('root', [{ ...deny('/team/secret'), allow: true }])
      const paths = async () => [
        (await product().world.settings.read()).rules.map(({ path }) => path),
        (await root.groups.list({})).map(({ rules }) => rules.map(({ path }) => path)),
        (await rulesOf(product(), 'root')).map(({ path }) => path),
      ]
      expect(await move('root', '/team', '/crew')).toBe(200)
      expect(await paths()).toEqual([['/crew/secret'], [['/crew/plan.txt']], ['/crew/secret']])
      expect(await read('bob', '/crew/secret/s.txt')).toBe(404)
      expect(await read('bob', '/crew/plan.txt')).toBe(404)
      // Somebody else’s folder: for them the rule names another place.
      await product().add('eve', { scope: '/archive' })
      expect(await move('root', '/crew', '/team')).toBe(200)
      expect(await paths()).toEqual([['/crew/secret'], [['/team/plan.txt']], ['/team/secret']])
    })

    it('begins at the folder of its person, stays when its node leaves that, and patterns stay as they are', async () => {
      await product().seed(TREE)
      const pattern = { regex: true, allow: false, path: '', regexp: { raw: 'plan' } }
      await product().add('bob', { scope: '/team', rules: [deny('secret/'), pattern] })
      expect(await move('ann', '/team/secret', '/team/other')).toBe(200)
      expect(await rulesOf(product(), 'bob')).toEqual([deny('/other'), pattern])
      expect(await read('bob', '/other/s.txt')).toBe(404)
      expect(await move('ann', '/team/other', '/archive/other')).toBe(200)
      expect(await rulesOf(product(), 'bob')).toEqual([deny('/other'), pattern])
      expect(await move('ann', '/archive/other', '/team/other')).toBe(200)
      expect(await read('bob', '/other/s.txt')).toBe(404)
    })
  })

  it('after a crash in the middle of a move, roles and rules follow it once the server is there again', async () => {
    await product().seed(TREE)
    await product().add('bob', { rules: [deny('/team/secret')] })
    const bob = await grant('user', 'bob', '/team', 'viewer')
    const [rules, rows] = [await rulesOf(product(), 'bob'), await product().db.selectFrom('grants').selectAll().execute()]
    expect(await move('ann', '/team', '/crew')).toBe(200)
    await product().world.journal.settled()
    for (const life of [0, 1]) {
      if (life === 0) {
        await product().setRules('bob', rules)
        for (const { id, path } of rows) await product().db.updateTable('grants').set({ path }).where('id', '=', id).execute()
      }
      await product().db.updateTable('operations').set({ state: 'intended' }).where('kind', '=', 'move').execute()
      product().pass(11 * 60_000)
      product().restart()
      await product().world.recover()
      expect(await grants()).toEqual([`${bob}/crew`])
      expect(await rulesOf(product(), 'bob')).toEqual([deny('/crew/secret')])
    }
  })
})

async function rulesOf(product: Product, who: string) {
  return [...(await product.account(who)).rules]
}
