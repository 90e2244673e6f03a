import { describe, expect, it } from 'bun:test'
import { NOTHING_GRANTED } from '../users/access-of.ts'
import { createIdentities } from './identities.ts'
import { codeOf, createWorld, HOUR_MS, PLAIN } from './test-world.ts'
import { hashOf } from '../db/secret.ts'

describe('renewing', () => {
  it('T3: within half a minute stays in the session family; later ends the family (GHSA-7xwp-2cpp-p8r7)', async () => {
    const { addUser, signIn, sessions, whose, idOf, pass, logged } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    const bound = cookie ?? ''
    const id = await idOf(token, bound)
    const first = await sessions.renew(id, PLAIN)
    pass(30_000)
    const second = await sessions.renew(id, PLAIN)
    expect([await whose(first.token, bound), await whose(second.token, bound)]).toEqual(['ann', 'ann'])
    pass(1)
    expect(await codeOf(sessions.renew(id, PLAIN))).toBe('sign-in-needed')
    expect([await whose(token, bound), await whose(first.token, bound), await whose(second.token, bound)]).toEqual([null, null, null])
    expect(logged).toHaveLength(1)
    expect(logged.join()).not.toContain(hashOf(token.split('.')[2] ?? ''))
  })

  it('S8: by other clients may be repeated until the token expires, and ends nothing', async () => {
    const { addUser, signIn, sessions, whose, idOf, pass } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    const id = await idOf(token)
    const renewed: string[] = []
    for (let i = 0; i < 3; i++) {
      renewed.push((await sessions.renew(id, PLAIN)).token)
      pass(40_000)
    }
    for (const one of [token, ...renewed]) expect(await whose(one)).toBe('ann')
  })

  it('T3: ends one family only', async () => {
    const { addUser, signIn, sessions, whose, idOf, pass } = await createWorld()
    await addUser('ann')
    const [stolen, other] = [await signIn('ann', { web: true }), await signIn('ann')]
    const id = await idOf(stolen.token, stolen.cookie ?? '')
    await sessions.renew(id, PLAIN)
    pass(31_000)
    expect(await codeOf(sessions.renew(id, PLAIN))).toBe('sign-in-needed')
    expect(await whose(other.token)).toBe('ann')
  })

  it('keeps the old token valid for other calls until it expires, and does not ask it to renew', async () => {
    const { addUser, signIn, sessions, users, idOf, pass } = await createWorld()
    const ann = await addUser('ann')
    const { token } = await signIn('ann')
    pass(HOUR_MS)
    await sessions.renew(await idOf(token), PLAIN)
    await users.change(ann, { fields: { singleClick: true }, password: null, keep: null })
    pass(HOUR_MS - 1)
    expect(await sessions.identify({ token, cookies: [] })).toMatchObject({ username: 'ann', shouldRenew: false })
    pass(1)
    expect(await sessions.identify({ token, cookies: [] })).toBeNull()
  })

  it('of a token of our web app keeps the old one valid until it expires, not for thirty days', async () => {
    const { addUser, signIn, sessions, whose, idOf, pass } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    await sessions.renew(await idOf(token, cookie ?? ''), PLAIN)
    for (let i = 0; i < 3; i++) {
      pass(0.5 * HOUR_MS)
      expect(await whose(token, cookie ?? '')).toBe('ann')
    }
    pass(0.5 * HOUR_MS)
    expect(await whose(token, cookie ?? '')).toBeNull()
  })

  it('is requested after half of the lifetime', async () => {
    const { addUser, signIn, sessions, pass } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    pass(HOUR_MS)
    expect((await sessions.identify({ token, cookies: [] }))?.shouldRenew).toBe(false)
    pass(1)
    expect((await sessions.identify({ token, cookies: [] }))?.shouldRenew).toBe(true)
  })

  it('keeps the time of the last password check', async () => {
    const { addUser, signIn, sessions, idOf, pass, clock } = await createWorld()
    await addUser('ann')
    const signedInAt = clock()
    const { token } = await signIn('ann')
    pass(HOUR_MS)
    const renewed = await sessions.renew(await idOf(token), PLAIN)
    expect((await sessions.identify({ token: renewed.token, cookies: [] }))?.provenAt).toEqual(signedInAt)
  })

  it('a hundred times at once succeeds, in one family', async () => {
    const { addUser, signIn, sessions, idOf, db } = await createWorld()
    await addUser('ann')
    const id = await idOf((await signIn('ann')).token)
    await Promise.all(Array.from({ length: 100 }, () => sessions.renew(id, PLAIN)))
    expect(await db.selectFrom('sessions').select('family').distinct().execute()).toHaveLength(1)
  })

  it('in a loop does not fill the disk', async () => {
    const { addUser, signIn, sessions, idOf } = await createWorld()
    await addUser('ann')
    const id = await idOf((await signIn('ann')).token)
    const codes = []
    for (let i = 0; i < 510; i++) codes.push(await codeOf(sessions.renew(id, PLAIN)))
    expect([codes.at(0), codes.at(-1)]).toEqual(['none', 'too-many-requests'])
  })
})

describe('a session of our web app', () => {
  it('is invalid without its cookie, so a stolen token fails elsewhere', async () => {
    const { addUser, signIn, whose } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    const other = await signIn('ann', { web: true })
    expect(await whose(token, 'something', cookie ?? '')).toBe('ann')
    expect([await whose(token), await whose(token, ''), await whose(token, other.cookie ?? '')]).toEqual([null, null, null])
  })

  it('keeps its cookie when it is renewed', async () => {
    const { addUser, signIn, sessions, whose, idOf } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    const renewed = await sessions.renew(await idOf(token, cookie ?? ''), { ...PLAIN, web: true })
    expect(renewed.cookie).toBeNull()
    expect([await whose(renewed.token), await whose(renewed.token, cookie ?? '')]).toEqual([null, 'ann'])
    expect((await sessions.identify({ token: null, cookies: [cookie ?? ''] }))?.username).toBe('ann')
  })

  it('ends with its cookie at sign-out', async () => {
    const { addUser, signIn, sessions, idOf } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    const byCookie = () => sessions.identify({ token: null, cookies: [cookie ?? ''] })
    expect((await byCookie())?.username).toBe('ann')
    await sessions.signOut(await idOf(token, cookie ?? ''))
    expect(await byCookie()).toBeNull()
  })

  it('can be created from a plain one by renewal', async () => {
    const { addUser, signIn, sessions, whose, idOf } = await createWorld()
    await addUser('ann')
    const renewed = await sessions.renew(await idOf((await signIn('ann')).token), { ...PLAIN, web: true })
    expect([await whose(renewed.token), await whose(renewed.token, renewed.cookie ?? '')]).toEqual([null, 'ann'])
  })
})

describe('signing out everywhere', () => {
  it('ends all sessions of the user at once and no others', async () => {
    const { addUser, signIn, sessions, whose } = await createWorld()
    const ann = await addUser('ann')
    await addUser('ben')
    const tokens = [await signIn('ann'), await signIn('ann'), await signIn('ben')].map(({ token }) => token)
    await Promise.all(tokens.map((token) => whose(token)))
    await sessions.endAllOf(ann.id)
    expect(await Promise.all(tokens.map((token) => whose(token)))).toEqual([null, null, 'ben'])
    expect(await whose((await signIn('ann')).token)).toBe('ann')
  })

  it('also ends a session that is being read at that moment', async () => {
    const { db, users, settings, clock, addUser, signIn } = await createWorld()
    const ann = await addUser('ann')
    const { token } = await signIn('ann')
    const gate = Promise.withResolvers<void>()
    const slow = async (id: number) => {
      const account = await users.find(id)
      await gate.promise
      return account
    }
    const identities = createIdentities({ db, users: { ...users, find: slow }, settings, grantedTo: async () => NOTHING_GRANTED, clock })
    const underWay = identities.identify({ token, cookies: [] })
    await settled()
    await users.endSessions(ann.id)
    identities.forget((row) => row.user_id === ann.id)
    gate.resolve()
    await underWay
    expect(await identities.identify({ token, cookies: [] })).toBeNull()
  })
})

/** Lets what is under way come to where it waits. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
}
