import { describe, expect, it } from 'bun:test'
import { ALL_RIGHTS, NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { onEachStorage } from './world.ts'

const MINUTE_MS = 60_000
const GOOD = 'a new good password'
/** Every field of a record, with another value than it has, and whether its owner may write it. */
const FIELDS: Record<string, { value: unknown; own: boolean }> = {
  username: { value: 'other', own: false },
  password: { value: GOOD, own: true },
  scope: { value: '/other', own: false },
  locale: { value: 'de', own: true },
  lockPassword: { value: true, own: false },
  viewMode: { value: 'list', own: true },
  singleClick: { value: true, own: true },
  redirectAfterCopyMove: { value: false, own: true },
  perm: { value: ALL_RIGHTS, own: false },
  commands: { value: ['sh'], own: false },
  sorting: { value: { by: 'size', asc: true }, own: true },
  rules: { value: [{ regex: false, allow: false, path: '/x', regexp: null }], own: false },
  hideDotfiles: { value: true, own: true },
  dateFormat: { value: true, own: true },
  aceEditorTheme: { value: 'twilight', own: true },
  disabled: { value: true, own: false },
}
const SENSITIVE = ['username', 'password', 'scope', 'lockPassword', 'perm', 'commands', 'rules', 'disabled']
const INERT = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'Constructor', '__Proto__']
/** What no client may write at all. */
const INTERNAL = ['id', 'Id', 'passwordHash', 'authEpoch', 'version', 'createdAt']

onEachStorage((product) => {
  const put = (id: number, body: string, who = 'root') => product().ask(`/api/users/${id}`, { method: 'PUT', who, body })
  const people = () => product().db.selectFrom('users').selectAll().orderBy('id').execute()
  const annId = async () => (await product().account('ann')).id
  const body = (which: string[] | undefined, data: Record<string, unknown>) => JSON.stringify({ what: 'user', which, data })

  describe('every field of a record × every spelling × every list', () => {
    it('is written by its owner if allowed, by administrators after reauthentication, and by nobody else (GHSA-hxw8-4h9j-hq2r, R1)', async () => {
      const id = await annId()
      const whole = await product()
        .as('root')
        .users.get({ params: { id: String(id) } })
      await Promise.all([
        product().signIn('ann'),
        product()
          .as('ann')
          .users.get({ params: { id: String(id) } }),
      ])
      product().pass(6 * MINUTE_MS)
      const before = await people()
      const surprises: string[] = []
      for (const [field, { value, own }] of Object.entries(FIELDS))
        for (const spelling of spellings(field))
          for (const [list, which] of lists(spelling))
            for (const who of ['ann', 'root']) {
              const changed = { ...whole, [field]: value, [spelling]: value }
              const { status } = await put(id, body(which, changed), who)
              const cell = `${who}: ${spelling}, ${list} → ${status}`
              const rows = await people()
              const known = spelling === field || spelling === capital(field)
              const allowed = mayWrite({ field, list, who, own, known })
              if (allowed !== (status === 200)) surprises.push(cell)
              if (!allowed && !Bun.deepEquals(rows, before)) surprises.push(`${cell}, but something changed`)
              // Back to what it was, past the guards.
              if (status === 200) await restore(before)
            }
      expect(surprises).toEqual([])
      // Some 1,200 calls, each with a look at the table.
    }, 300_000)

    it('is never one of the prototype or of the server (A4-9)', async () => {
      const id = await annId()
      const before = await people()
      const statuses = new Set<number>()
      for (const name of [...INERT, ...INTERNAL])
        for (const which of [[name], ['locale', name], [name, 'all'], [], ['all']]) {
          const data = `{"username":"ann","locale":"de","perm":{},${JSON.stringify(name)}:{"admin":true,"perm":{"admin":true}}}`
          const { status } = await put(id, `{"what":"user","which":${JSON.stringify(which)},"data":${data}}`, 'ann')
          statuses.add(status)
        }
      expect([...statuses].toSorted((a, b) => a - b)).toEqual([400, 403])
      expect(await people()).toEqual(before)
      for (const name of INERT) {
        const data = `{"username":"ann","perm":{"download":true,${JSON.stringify(name)}:{"admin":true}},${JSON.stringify(name)}:{"perm":{"admin":true}}}`
        expect((await put(id, `{"what":"user","which":[],"data":${data}}`)).status).toBe(200)
        expect((await product().account('ann')).perm).toEqual({ ...NO_RIGHTS, download: true })
      }
      expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
    })
  })

  describe('provisioning by an administrator', () => {
    it('grants what was sent and no defaults: no permissions, commands or rules (GHSA-5gg9-5g7w-hm73, I9)', async () => {
      await product().world.settings.change((before) => ({
        ...before,
        defaults: { ...before.defaults, scope: '/', perm: ALL_RIGHTS, commands: ['sh', 'curl'], hideDotfiles: true },
      }))
      const create = (data: Record<string, unknown>) =>
        product().ask('/api/users', { method: 'POST', who: 'root', body: body([], { password: GOOD, scope: '/home', ...data }) })
      const given: Record<string, unknown>[] = [
        { username: 'bare' },
        { username: 'nulls', commands: null, rules: null },
        { username: 'odd', permissions: ALL_RIGHTS, command: ['sh'], isAdmin: true, passwordHash: 'x' },
      ]
      for (const data of given) {
        expect([data, (await create(data)).status]).toEqual([data, 201])
        expect(await product().account(String(data.username))).toMatchObject({ perm: NO_RIGHTS, commands: [], rules: [], disabled: false })
      }
      // The predecessor read names of fields in any case, and so do we (S12).
      for (const [username, said] of Object.entries({
        said: { perm: ALL_RIGHTS, commands: ['ls'] },
        cased: { Perm: ALL_RIGHTS, Commands: ['ls'] },
      })) {
        expect((await create({ username, ...said })).status).toBe(201)
        expect(await product().account(username)).toMatchObject({ perm: { admin: true }, commands: ['ls'] })
      }
    })
  })

  async function restore(rows: Awaited<ReturnType<typeof people>>): Promise<void> {
    for (const row of rows)
      await product()
        .db.updateTable('users')
        .set({ ...row })
        .where('id', '=', row.id)
        .execute()
  }
})

function capital(field: string): string {
  return field.slice(0, 1).toUpperCase() + field.slice(1)
}

function spellings(field: string): string[] {
  return [...new Set([field, capital(field), field.toUpperCase(), field.toLowerCase(), ` ${field}`, `${field} `])]
}

function lists(name: string): [string, string[] | undefined][] {
  return [
    ['missing', undefined],
    ['empty', []],
    ['all', ['all']],
    ['named', [name]],
    ['twice', [name, name]],
    ['with all', [name, 'all']],
    ['unknown', ['nothing', name]],
  ]
}

/** What ought to happen; nobody has given a proof. */
function mayWrite({ field, list, who, own, known }: { field: string; list: string; who: string; own: boolean; known: boolean }): boolean {
  const whole = ['missing', 'empty', 'all', 'with all'].includes(list)
  if (list === 'unknown' || (list !== 'missing' && list !== 'empty' && list !== 'all' && !known)) return false
  if (who === 'ann' && (whole || !own)) return false
  return !SENSITIVE.includes(field)
}
