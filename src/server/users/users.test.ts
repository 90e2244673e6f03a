import { describe, expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { ALL_RIGHTS, NO_RIGHTS } from '../access/permissions.ts'
import { createMemoryBus } from '../bus/memory.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createSettings } from '../settings/store.ts'
import { toWire } from './account.ts'
import { importAccounts } from './import-accounts.ts'
import { hashOf } from '../db/secret.ts'
import { ensureAdmin } from './first-admin.ts'
import { createPasswords } from './password.ts'
import { createUsers } from './users.ts'

describe('the accounts', () => {
  it('return their fields but never the password', async () => {
    const { add, users } = await world()
    const ann = await add('ann', { rules: [{ regex: false, allow: false, path: '/x', regexp: null }], commands: ['git'] })
    const found = await users.find(ann.id)
    expect(found).toEqual(ann)
    expect(toWire(ann)).toMatchObject({ id: ann.id, username: 'ann', password: '', commands: ['git'] })
    expect(JSON.stringify(toWire(ann))).not.toMatch(/argon2|passwordHash|authEpoch/)
  })

  it('have unique names in any spelling (I9)', async () => {
    const { add } = await world()
    await add('Ann')
    for (const name of ['ann', 'ANN', 'ａｎｎ']) expect([name, await codeOf(add(name))]).toEqual([name, 'name-taken'])
  })

  it('keep favourites and recent files when re-imported, unless the id belongs to another user', async () => {
    const { add, db } = await world()
    const [ann, bob] = [await add('ann', { perm: ALL_RIGHTS }), await add('bob')]
    for (const { id } of [ann, bob]) {
      await db.insertInto('favourites').values({ user_id: id, place: '/x', rank: 1 }).execute()
      await db.insertInto('recents').values({ user_id: id, place: '/x', at: 1, how: 'opened' }).execute()
    }
    await importAccounts(db, [ann, { ...bob, username: 'eve' }], { overwrite: true, replace: false, now: new Date() })
    expect(await db.selectFrom('favourites').select('user_id').execute()).toEqual([{ user_id: ann.id }])
    await importAccounts(db, [{ ...ann, id: bob.id }], { overwrite: false, replace: true, now: new Date() })
    expect(await db.selectFrom('recents').selectAll().execute()).toEqual([])
  })

  it('created fifty times at once exist once', async () => {
    const { add } = await world()
    const codes = await Promise.all(Array.from({ length: 30 }, () => codeOf(add('ann'))))
    expect(codes.filter((code) => code === 'none')).toHaveLength(1)
  })

  it('change only in the named fields, and announce the change', async () => {
    const { add, users, heard } = await world()
    const ann = await add('ann')
    await users.change(ann, { fields: { locale: 'fr', sorting: { by: 'size', asc: true } }, password: null, keep: null })
    const changed = await users.find(ann.id)
    expect(changed).toEqual({ ...ann, locale: 'fr', sorting: { by: 'size', asc: true }, version: ann.version + 1 })
    expect(heard).toEqual([ann.id])
  })

  it('get a new epoch with password, enabling and sign-out, but not with preferences', async () => {
    const { add, users } = await world()
    const ann = await add('ann')
    const epochs = []
    const changes = [
      () => users.change(ann, { fields: { singleClick: true }, password: null, keep: null }),
      () => users.setPassword(ann.id, 'another'),
      () => users.setDisabled(ann.id, { disabled: true }),
      () => users.endSessions(ann.id),
    ]
    for (const change of changes) {
      await change()
      epochs.push((await users.find(ann.id))?.authEpoch)
    }
    expect(epochs).toEqual([1, 2, 3, 4])
  })

  it('that were deleted are not found', async () => {
    const { add, users } = await world()
    const ann = await add('ann')
    await users.remove(ann.id)
    expect(await users.find(ann.id)).toBeNull()
    expect(await users.change(ann, { fields: { locale: 'fr' }, password: null, keep: null })).toBe(false)
    expect(await codeOf(users.setPassword(ann.id, 'x'))).toBe('not-found')
    expect(await codeOf(users.remove(ann.id))).toBe('not-found')
  })

  it('get a new id even if the last one was deleted', async () => {
    const { add, users } = await world()
    const ann = await add('ann')
    await users.remove(ann.id)
    expect((await add('ben')).id).not.toBe(ann.id)
  })

  it('of the predecessor are rehashed at the first sign-in, which ends no session', async () => {
    const { add, users, db } = await world()
    const ann = await add('ann')
    const bcrypt = await Bun.password.hash('from before', { algorithm: 'bcrypt', cost: 4 })
    await db.updateTable('users').set({ password_hash: bcrypt }).where('id', '=', ann.id).execute()
    expect((await users.prove('ann', 'from before'))?.id).toBe(ann.id)
    const after = await users.find(ann.id)
    expect([after?.passwordHash.startsWith('$argon2id$'), after?.authEpoch]).toEqual([true, 1])
    expect((await users.prove('ann', 'from before'))?.id).toBe(ann.id)
  })

  it('are not changed if the record differs from the one that was read', async () => {
    const { add, users } = await world()
    const ann = await add('ann')
    const change = (locale: string) => users.change(ann, { fields: { locale }, password: null, keep: null })
    expect(await Promise.all([change('fr'), change('de'), change('es')])).toEqual([true, false, false])
    expect((await users.find(ann.id))?.locale).toBe('fr')
  })

  it('always include one administrator, even after simultaneous changes', async () => {
    const { add, users } = await world()
    const perm = ALL_RIGHTS
    const [root, ops] = [await add('root', { perm }), await add('ops', { perm })]
    const demoted = { fields: { perm: NO_RIGHTS }, password: null, keep: null }
    const codes = await Promise.all([codeOf(users.change(root, demoted)), codeOf(users.remove(ops.id))])
    expect(codes.toSorted()).toEqual(['forbidden', 'none'])
  })
})

describe('the first administrator', () => {
  it('gets a password that is printed once', async () => {
    const { users, settings } = await world()
    const password = await ensureAdmin({ users, settings })
    expect(password?.length).toBeGreaterThanOrEqual(16)
    expect(await users.prove('admin', password ?? '')).toMatchObject({ username: 'admin', scope: '.', perm: { admin: true } })
    expect(await ensureAdmin({ users, settings })).toBeNull()
  })

  it('U14: can sign in with the printed password, and starts with the system theme', async () => {
    const { users, settings } = await world()
    await ensureAdmin({ users, settings })
    const { printedPassword, branding } = await settings.read()
    const isPrinted = async (): Promise<boolean> => hashOf((await users.findByName('admin'))?.passwordHash ?? '') === printedPassword
    expect([await isPrinted(), branding.theme]).toEqual([true, 'system'])
    expect((await settings.read()).welcome).toEqual({ userId: 1, steps: ['language', 'name', 'person', 'link'] })
    const admin = await users.findByName('admin')
    if (admin !== null) await users.change(admin, { fields: {}, password: 'another long password', keep: null })
    expect(await isPrinted()).toBe(false)
  })

  it('U14: is not asked for a new password, nor welcomed, if the operator chose it', async () => {
    const { users, settings } = await world()
    await ensureAdmin({ users, settings, password: () => 'mine' })
    expect(await settings.read()).toMatchObject({ printedPassword: '', welcome: null })
  })

  it('gets the operator’s password, which is not printed', async () => {
    const { users, settings } = await world()
    expect(await ensureAdmin({ users, settings, password: () => 'mine' })).toBeNull()
    expect((await users.prove('admin', 'mine'))?.perm.admin).toBe(true)
  })

  it('is not created if there is an account', async () => {
    const { users, settings, add } = await world()
    await add('ann')
    expect(await ensureAdmin({ users, settings, password: () => 'mine' })).toBeNull()
    expect(await users.findByName('admin')).toBeNull()
  })
})

async function world() {
  const clock = () => new Date('2026-11-21T00:00:00Z')
  const db = await openTestDatabase({ clock })
  const bus = createMemoryBus()
  const heard: number[] = []
  bus.on('user.changed', ({ userId }) => void heard.push(userId))
  const settings = createSettings({ db, bus, clock })
  const users = createUsers({ db, bus, clock, passwords: createPasswords({ cost: { memoryKiB: 8, passes: 1 } }) })
  const { defaults } = await settings.read()
  type Extra = Partial<Parameters<typeof users.create>[0]>
  const add = (username: string, extra: Extra = {}) =>
    users.create({ ...defaults, username, password: 'long enough', lockPassword: false, rules: [], ...extra })
  return { db, users, settings, heard, add }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (isAppError(error)) return error.code
    throw error
  }
}
