import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { NO_RIGHTS } from '../access/permissions.ts'
import { NO_PASSWORD } from '../users/password.ts'
import { rowFrom } from '../users/store.ts'
import { idsOfPeople, listPeople, PAGE_LENGTH, type PeopleQuery } from './list.ts'

const ALL: PeopleQuery = { text: '', only: null, group: null, after: null }

let db: Kysely<Schema>
beforeEach(async () => {
  db = await openTestDatabase()
})
afterEach(() => db.destroy())

describe('the list of people', () => {
  it('comes in the order of names, whatever their case, page after page', async () => {
    for (let at = 0; at < PAGE_LENGTH + 20; at += 1) await insert(`${at % 2 === 0 ? 'P' : 'p'}${String(at).padStart(3, '0')}`)
    const first = await listPeople(db, ALL)
    const second = await listPeople(db, { ...ALL, after: first.next })
    const names = [...first.people, ...second.people].map(({ username }) => username.toLowerCase())
    expect(names).toEqual([...names].sort())
    expect([first.people.length, second.people.length, second.next]).toEqual([PAGE_LENGTH, 20, null])
    expect([first.found, first.all]).toEqual([PAGE_LENGTH + 20, PAGE_LENGTH + 20])
  })

  it('use2-5: names everybody who matches, however many pages they are', async () => {
    for (let at = 0; at < PAGE_LENGTH + 20; at += 1) await insert(`p${String(at).padStart(3, '0')}`, { disabled: at % 2 === 1 })
    expect(await idsOfPeople(db, ALL)).toHaveLength(PAGE_LENGTH + 20)
    const disabled = await idsOfPeople(db, { ...ALL, only: 'disabled' })
    expect([disabled.length, new Set(disabled).size]).toEqual([PAGE_LENGTH / 2 + 10, PAGE_LENGTH / 2 + 10])
  })

  it('tells administrators, disabled accounts and those without a password from others', async () => {
    await insert('root', { admin: true })
    await insert('gone', { disabled: true })
    await insert('invited', { passwordHash: NO_PASSWORD })
    expect(await namesOf({ only: 'administrators' })).toEqual(['root'])
    expect(await namesOf({ only: 'disabled' })).toEqual(['gone'])
    expect(await namesOf({ only: 'waiting' })).toEqual(['invited'])
    expect(await namesOf({ only: 'no-second-factor' })).toEqual(['gone', 'invited', 'root'])
  })

  it('finds signs that mean something in a pattern', async () => {
    await insert('50%_off!')
    await insert('50 off')
    expect(await namesOf({ text: '%_OFF!' })).toEqual(['50%_off!'])
  })

  it('says when somebody was last there, as a number', async () => {
    const id = await insert('ann')
    for (const seen of [5_000_000_000_000, 5_000_000_000_001]) await session(id, seen)
    expect((await listPeople(db, ALL)).people[0]?.lastSeen).toBe(5_000_000_000_001)
  })
})

async function namesOf(query: Partial<PeopleQuery>): Promise<string[]> {
  return (await listPeople(db, { ...ALL, ...query })).people.map(({ username }) => username)
}

async function insert(username: string, { admin = false, disabled = false, passwordHash = 'hash' } = {}): Promise<number> {
  const row = rowFrom({
    username,
    passwordHash,
    disabled,
    scope: '/',
    locale: '',
    lockPassword: false,
    viewMode: 'list',
    singleClick: false,
    redirectAfterCopyMove: false,
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: '',
    sorting: { by: 'name', asc: true },
    perm: { ...NO_RIGHTS, admin },
    commands: [],
    rules: [],
    createdAt: new Date(0),
  })
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

async function session(userId: number, seen: number): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      id: String(seen),
      key_hash: String(seen),
      cookie_hash: null,
      family: 'family',
      user_id: userId,
      auth_epoch: 1,
      user_version: 1,
      created_at: 0,
      last_seen_at: seen,
      idle_ms: 1,
      expires_at: seen,
      proven_at: 0,
      ip: '',
      user_agent: '',
      revoked_at: null,
      replaced_at: null,
      proof_at: null,
    })
    .execute()
}
