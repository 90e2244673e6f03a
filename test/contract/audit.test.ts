import { describe, expect, it } from 'bun:test'
import type { AuditEntry, AuditKind } from '../../src/shared/contract/audit.ts'
import { NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { until } from './until.ts'
import { listed, remove } from './trash-calls.ts'
import { removeVersion, replace, versionsOf } from './versions-calls.ts'
import { HOUR_MS, onEachStorage, PASSWORD, PEER, type Product, startProduct } from './world.ts'

onEachStorage((product) => {
  const list = async (query: Parameters<ReturnType<Product['as']>['audit']['list']>[0]['query'] = {}) =>
    (await product().as('root').audit.list({ query })).entries

  it('records sign-ins with their method, failures and sign-outs, but no unknown names (CVE-2026-61501)', async () => {
    const { ask, as } = product()
    await as('ann').session.logout({})
    const wrong = (username: string) =>
      ask('/api/login', { method: 'POST', body: JSON.stringify({ username, password: 'not it' }) }).then(({ status }) => status)
    expect([await wrong('ann'), await wrong('my secret password')]).toEqual([403, 403])
    // Whose name it was is looked up when the answer has gone.
    await until(async () => (await list()).length === 5)
    const entries = await list()
    expect(told(entries).map(String).toSorted()).toEqual([
      'sign-in,ann,ann',
      'sign-in,root,root',
      'sign-in-failed,,',
      'sign-in-failed,,ann',
      'sign-out,ann,ann',
    ])
    expect(entries.find(({ who }) => who === 'root')?.details).toEqual([{ place: 'method', before: null, after: 'json' }])
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  it('records changes by administrators: actor, subject and details', async () => {
    const { as, seed, account } = product()
    await seed({ '/a.txt': 'text' })
    const root = as('root')
    const person = { username: 'bob', password: PASSWORD, scope: '/', perm: { ...NO_RIGHTS, download: true } }
    await root.users.create({ body: { what: 'user', which: [], data: person } })
    const id = String((await account('bob')).id)
    const change = (which: string[], data: Record<string, unknown>) =>
      root.users.update({ params: { id }, body: { what: 'user', which, data } })
    await change(['perm', 'password'], { perm: { ...NO_RIGHTS, download: true, create: true }, password: 'a new and long one' })
    await change(['singleClick'], { singleClick: true })
    await root.users.remove({ params: { id }, body: '' })
    const before = await root.settings.get({})
    await root.settings.update({
      body: {
        ...before,
        branding: { ...before.branding, name: 'The attic' },
        rules: [{ allow: false, path: '/x', regex: false, regexp: null }],
        commands: { ...before.commands, after_save: ['curl -H token=abc'] },
      },
    })
    const { hash } = await as('ann').shares.create({ params: { path: at('/a.txt') }, body: JSON.stringify({ password: 'hush' }) })
    await as('ann').shares.remove({ params: { hash } })

    const entries = await list()
    const details = (kind: AuditKind) => entries.find((entry) => entry.kind === kind)?.details
    expect(told(entries).filter(([kind]) => kind !== 'sign-in')).toEqual([
      ['share-removed', 'ann', '/a.txt'],
      ['share-created', 'ann', '/a.txt'],
      ['settings-changed', 'root', ''],
      ['rules-changed', 'root', ''],
      ['hooks-changed', 'root', ''],
      ['user-removed', 'root', 'bob'],
      ['user-changed', 'root', 'bob'],
      ['user-created', 'root', 'bob'],
    ])
    expect(details('user-changed')).toEqual([
      { place: 'perm', before: 'download', after: 'create download' },
      { place: 'password', before: null, after: null },
    ])
    expect(details('settings-changed')).toEqual([{ place: 'branding.name', before: '', after: 'The attic' }])
    expect(details('hooks-changed')).toEqual([{ place: 'commands.after_save', before: '0', after: '1' }])
    expect(details('share-created')).toContainEqual({ place: 'protected', before: null, after: 'true' })
    for (const secret of [hash, 'hush', 'token=abc', 'a new and long one', PASSWORD]) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  it('records what is removed for good from the trash and from versions: actor, path and number', async () => {
    const { as, seed } = product()
    await seed({ '/a.txt': 'old', '/docs/b.txt': 'b', '/c': 'c', '/d': 'd', '/e': 'e' })
    await replace(product(), 'ann', '/a.txt', 'new')
    const [version] = await versionsOf(product(), 'ann', '/a.txt')
    await removeVersion(product(), 'ann', '/a.txt', version?.id)
    for (const path of ['/docs/b.txt', '/c', '/d', '/e']) await remove(product(), 'ann', path)
    const idOf = async (path: string) => (await listed(product(), 'ann')).find((entry) => entry.path === path)?.id ?? ''
    await as('ann').trash.remove({ params: { id: await idOf('/docs/b.txt') } })
    await as('root').trash.remove({ params: { id: await idOf('/c') } })
    await as('ann').trash.empty({ query: {} })
    await until(async () => (await list({ kind: 'trash-emptied' })).length === 1)
    // There is nothing left.
    await as('root').trash.empty({ query: { all: 'true' } })
    await until(async () => (await as('root').jobs.list({})).every(({ state }) => state === 'done'))
    const entries = await list()
    expect(told(entries).filter(([kind]) => kind !== 'sign-in')).toEqual([
      ['trash-emptied', 'ann', ''],
      ['trash-removed', 'root', '/c'],
      ['trash-removed', 'ann', '/docs/b.txt'],
      ['version-removed', 'ann', '/a.txt'],
    ])
    expect(entries.filter(({ kind }) => kind !== 'sign-in').map(({ address, details }) => [address, details])).toEqual([
      [expect.any(String), [{ place: 'count', before: null, after: '2' }]],
      [expect.any(String), [{ place: 'deletedBy', before: null, after: 'ann' }]],
      [expect.any(String), []],
      [expect.any(String), [{ place: 'modified', before: null, after: version?.modified ?? '' }]],
    ])
  })

  it('can be searched by actor, kind, time and text, in pages, without special characters', async () => {
    const { as, add, pass } = product()
    await add('b%b')
    await as('b%b').session.logout({})
    pass(HOUR_MS)
    await as('ann').session.logout({})
    const [latest] = await list({ kind: 'sign-out' })
    expect(told(await list({ who: 'ANN', kind: 'sign-out' }))).toEqual([['sign-out', 'ann', 'ann']])
    expect(told(await list({ who: '%', kind: 'sign-out' }))).toEqual([['sign-out', 'b%b', 'b%b']])
    expect(told(await list({ kind: 'sign-out', since: String(latest?.time) }))).toEqual([['sign-out', 'ann', 'ann']])
    expect(told(await list({ kind: 'sign-out', until: String(latest?.time) }))).toEqual([['sign-out', 'b%b', 'b%b']])
    expect(await list({ text: 'everywhere' })).toEqual([])
    const everything = await list()
    const pages: AuditEntry[] = []
    let before: number | null = null
    do {
      const query: { limit: string; before?: string } = { limit: '2', ...(before !== null && { before: String(before) }) }
      const page = await as('root').audit.list({ query })
      pages.push(...page.entries)
      before = page.next
    } while (before !== null)
    expect(pages).toEqual(everything)
    // More than any trail has.
    expect(await list({ before: '9'.repeat(15) })).toEqual(everything)
    for (const query of ['kind=nothing', 'since=yesterday', 'before=-1', 'limit=9999'])
      expect([query, (await product().ask(`/api/audit?${query}`, { who: 'root' })).status]).toEqual([query, 400])
  })

  it('can be exported as CSV and JSON lines without formulas, which is recorded', async () => {
    const { ask, add, as } = product()
    await add('=cmd|"calc"')
    await as('=cmd|"calc"').session.logout({})
    const csv = await ask('/api/audit/export?format=csv&kind=sign-out', { who: 'root' })
    expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringMatching(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.csv"$/),
    ])
    const [head, line] = (await csv.text()).split('\r\n')
    expect(head).toContain('"time","kind","who"')
    expect(line).toContain(`"'=cmd|""calc"""`)
    const lines = await (await ask('/api/audit/export?format=jsonl', { who: 'root' })).text()
    expect(
      lines
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one).kind),
    ).toContain('sign-out')
    expect((await list({ kind: 'trail-exported' })).map(({ subject }) => subject)).toEqual(['jsonl', 'csv'])
    expect((await ask('/api/audit/export?format=exe', { who: 'root' })).status).toBe(400)
  })
})

describe('the activity log', () => {
  it('is deleted after the configured days, and disabled with none', async () => {
    await using product = await startProduct()
    const root = product.as('root')
    const list = async () => (await root.audit.list({ query: {} })).entries
    const settings = await root.settings.get({})
    await root.settings.update({ body: { ...settings, activityDays: 7 } })
    // Entries are written beside the answer.
    await product.world.trail.settled()
    product.pass(6 * 24 * HOUR_MS)
    await product.world.tidy()
    expect((await product.db.selectFrom('audit').selectAll().execute()).length).toBe(2)
    product.pass(2 * 24 * HOUR_MS)
    await product.world.tidy()
    expect(await product.db.selectFrom('audit').selectAll().execute()).toEqual([])
    await product.world.settings.change((before) => ({ ...before, activityDays: 0 }))
    await product.signIn('root')
    await product.world.trail.settled()
    expect(await product.db.selectFrom('audit').selectAll().execute()).toEqual([])
    expect(await list().catch(() => [])).toEqual([])
  })

  it('is not disabled by clients that do not know the setting', async () => {
    await using product = await startProduct()
    const root = product.as('root')
    const { activityDays: _, ...old } = await root.settings.get({})
    await root.settings.update({ body: { ...old, signup: true } })
    expect((await root.settings.get({})).activityDays).toBe(90)
    const refused = await product.ask('/api/settings', { method: 'PUT', who: 'root', body: JSON.stringify({ ...old, activityDays: -1 }) })
    expect(refused.status).toBe(400)
  })

  it('contains reused tokens and changes by the operator’s hook', async () => {
    const runHook = async () => ({ code: 0, stdout: 'hook.action=auth\nuser.perm.share=false\n' })
    await using product = await startProduct({ runHook })
    // Only sessions of our web end when a replaced token is renewed; other clients may renew again.
    const { token, cookie } = await product.signInWeb('ann')
    const renew = () => product.ask('/api/renew', { method: 'POST', headers: { 'x-auth': token, cookie } })
    expect((await renew()).status).toBe(200)
    product.pass(60_000)
    expect((await renew()).status).toBe(401)
    await product.world.settings.change((before) => ({ ...before, authMethod: 'hook', auth: { header: '', command: '/ask' } }))
    await product.signIn('ann')
    const { entries } = await product.as('root').audit.list({ query: { text: 'ann' } })
    expect(told(entries)).toEqual([
      ['sign-in', 'ann', 'ann'],
      ['user-changed', '', 'ann'],
      ['token-reused', 'ann', 'ann'],
      ['sign-in', 'ann', 'ann'],
    ])
    expect(entries[1]?.details).toEqual([{ place: 'perm.share', before: 'true', after: 'false' }])
  })

  it('is logged when it is truncated', async () => {
    await using product = await startProduct()
    const root = product.as('root')
    await root.settings.update({ body: { ...(await root.settings.get({})), activityDays: 0 } })
    await product.world.trail.settled()
    expect(product.logged).toContain(`audit: root (${PEER}) changed activityDays from 90 to 0`)
  })

  it('keeps no addresses if it should not, and erases those that it has', async () => {
    await using product = await startProduct()
    const root = product.as('root')
    const addresses = async () => new Set((await root.audit.list({ query: {} })).entries.map(({ address }) => address))
    await root.settings.update({ body: { ...(await root.settings.get({})), hideLoginButton: false } })
    await product.world.trail.settled()
    expect(await addresses()).toContain(PEER)
    await root.settings.update({ body: { ...(await root.settings.get({})), activityAddresses: false } })
    await root.settings.update({ body: { ...(await root.settings.get({})), hideLoginButton: true } })
    await product.world.trail.settled()
    await product.world.tidy()
    expect([...(await addresses())]).toEqual([''])
    const { activityAddresses: _, ...old } = await root.settings.get({})
    await root.settings.update({ body: old })
    expect((await root.settings.get({})).activityAddresses).toBe(false)
  })

  it('contains sign-ups with their addresses', async () => {
    await using product = await startProduct()
    await product.world.settings.change((before) => ({ ...before, signup: true }))
    await product.ask('/api/signup', { method: 'POST', body: JSON.stringify({ username: 'new', password: PASSWORD }) })
    const { entries } = await product.as('root').audit.list({ query: { kind: 'sign-up' } })
    expect(entries).toMatchObject([{ who: 'new', subject: 'new', address: PEER }])
  })
})

function told(entries: readonly AuditEntry[]): [string, string, string][] {
  return entries.map(({ kind, who, subject }) => [kind, who, subject])
}
