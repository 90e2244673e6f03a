import { describe, expect, it } from 'bun:test'
import { MAX_SIGN_INS } from './session-lifetime.ts'
import { codeOf, createWorld, DAY_MS, FROM, HOUR_MS, PASSWORD, PLAIN } from './test-world.ts'
import { newSecret } from '../db/secret.ts'

describe('signing in', () => {
  it('returns a token that identifies the user', async () => {
    const { addUser, signIn, whose } = await createWorld()
    await addUser('ann')
    expect(await whose((await signIn('ann')).token)).toBe('ann')
  })

  it('gives the same answer for a wrong password, an unknown name and a disabled account (GHSA-43mm-m3h2-3prc)', async () => {
    const { addUser, users, sessions } = await createWorld()
    await addUser('ann')
    await users.setDisabled((await addUser('off')).id, { disabled: true })
    const tries = [
      { username: 'ann', password: 'wrong' },
      { username: 'nobody', password: PASSWORD },
      { username: 'off', password: PASSWORD },
      { username: '', password: '' },
    ]
    for (const one of tries) expect(await codeOf(sessions.signIn({ ...one, web: false, from: FROM }))).toBe('wrong-credentials')
  })

  it('refuses a password of a million characters before hashing (GHSA-w5fm-68j4-fpc4)', async () => {
    const { addUser, sessions } = await createWorld()
    await addUser('ann')
    const long = { password: 'x'.repeat(1_000_000), web: false, from: FROM }
    expect(await codeOf(sessions.signIn({ ...long, username: 'ann' }))).toBe('invalid-input')
    expect(await codeOf(sessions.signIn({ ...long, username: 'nobody' }))).toBe('invalid-input')
    expect(await codeOf(sessions.signIn({ ...long, username: 'x'.repeat(1_000_000) }))).toBe('invalid-input')
  })

  it('makes guessers wait (GHSA-cm2r-rg7r-p7gg)', async () => {
    const { addUser, sessions } = await createWorld()
    await addUser('ann')
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, i) => codeOf(sessions.signIn({ username: 'ann', password: `guess ${i}`, web: false, from: FROM }))),
    )
    expect(codes.filter((code) => code === 'wrong-credentials').length).toBeLessThan(20)
    expect(codes.filter((code) => code === 'too-many-requests').length).toBeGreaterThan(80)
  })

  it('keeps the fifty most recently used sessions', async () => {
    const { addUser, signIn, whose, pass, db } = await createWorld({ lifetimeMs: 3 * DAY_MS })
    await addUser('ann')
    const first = await signIn('ann')
    const second = await signIn('ann')
    pass(2 * 60_000)
    expect(await whose(first.token)).toBe('ann')
    for (let i = 0; i < MAX_SIGN_INS - 1; i++) await signIn('ann')
    expect([await whose(first.token), await whose(second.token)]).toEqual(['ann', null])
    expect((await db.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute()).length).toBe(MAX_SIGN_INS)
  })

  it('with a password that is being changed creates no valid session', async () => {
    const { addUser, users, sessions, whose } = await createWorld()
    const ann = await addUser('ann')
    await users.setPassword(ann.id, 'another long password')
    expect(await whose((await sessions.open(ann, { web: false, from: FROM })).token)).toBeNull()
  })
})

describe('a session', () => {
  it('T1: ends everywhere at sign-out, also after a restart (GHSA-7xwp-2cpp-p8r7)', async () => {
    const { addUser, signIn, sessions, whose, restarted } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    const viewer = await sessions.identify({ token, cookies: [] })
    await sessions.signOut(viewer?.sessionId ?? '')
    expect(await whose(token)).toBeNull()
    expect(await restarted().identify({ token, cookies: [] })).toBeNull()
  })

  it('T1: ends with all tokens that it was renewed to', async () => {
    const { addUser, signIn, sessions, whose, idOf } = await createWorld()
    await addUser('ann')
    const old = await signIn('ann')
    const renewed = await sessions.renew(await idOf(old.token), PLAIN)
    await sessions.signOut(await idOf(old.token))
    expect([await whose(old.token), await whose(renewed.token)]).toEqual([null, null])
  })

  it('T1: survives a restart', async () => {
    const { addUser, signIn, restarted } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    expect((await restarted().identify({ token, cookies: [] }))?.username).toBe('ann')
  })

  it('T2: ends when the password changes (GHSA-v7vv-5wj2-gfcj); those of others do not', async () => {
    const { addUser, users, signIn, whose } = await createWorld()
    const ann = await addUser('ann')
    await addUser('ben')
    const tokens = [await signIn('ann'), await signIn('ann', { web: true }), await signIn('ben')].map(({ token }) => token)
    await Promise.all(tokens.map((token) => whose(token)))
    await users.setPassword(ann.id, 'another long password')
    expect(await Promise.all(tokens.map((token) => whose(token)))).toEqual([null, null, 'ben'])
  })

  it('T2: ends when another process changes the password, within a second', async () => {
    const { addUser, users, signIn, restarted, pass } = await createWorld()
    const ann = await addUser('ann')
    const { token } = await signIn('ann')
    const elsewhere = restarted()
    await elsewhere.identify({ token, cookies: [] })
    await users.setPassword(ann.id, 'another long password')
    pass(1000)
    expect(await elsewhere.identify({ token, cookies: [] })).toBeNull()
  })

  it('T4: uses nothing of the claims in its token', async () => {
    const { addUser, signIn, sessions } = await createWorld()
    await addUser('root', { admin: true })
    await addUser('ann')
    const [, , secret] = (await signIn('ann')).token.split('.')
    const forged = { user: { id: 1, username: 'root', perm: { admin: true } }, exp: 99_999_999_999 }
    for (const claims of [Buffer.from(JSON.stringify(forged)).toString('base64url'), '', '%%%', '{}']) {
      const viewer = await sessions.identify({ token: `${claims}.${claims}.${secret}`, cookies: [] })
      expect([viewer?.username, viewer?.access.may.admin]).toEqual(['ann', false])
    }
  })

  it('T5: is not found for a secret that is random, truncated, longer or in another alphabet', async () => {
    const { addUser, signIn, whose } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    for (const bad of [`a.b.${newSecret()}`, token.slice(0, -1), `${token}A`, token.toUpperCase(), `${token},${token}`, `${token} `]) {
      expect([bad, await whose(bad)]).toEqual([bad, null])
    }
  })

  it('T6: ends when the account is disabled or deleted', async () => {
    const { addUser, users, signIn, whose } = await createWorld()
    const [ann, ben] = [await addUser('ann'), await addUser('ben')]
    const tokens = [(await signIn('ann')).token, (await signIn('ben')).token]
    await Promise.all(tokens.map((token) => whose(token)))
    await users.setDisabled(ann.id, { disabled: true })
    await users.remove(ben.id)
    expect(await Promise.all(tokens.map((token) => whose(token)))).toEqual([null, null])
    await users.setDisabled(ann.id, { disabled: false })
    expect(await whose(tokens[0] ?? '')).toBeNull()
  })

  it('T6: of a disabled account is invalid, however it was disabled', async () => {
    const { addUser, signIn, whose, db } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    await db.updateTable('users').set({ disabled: 1 }).execute()
    expect(await whose(token)).toBeNull()
  })

  it('T7: cannot be created from a stolen database', async () => {
    const { addUser, signIn, db, sessions } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    const stored = (await db.selectFrom('sessions').selectAll().execute()).flatMap(Object.values).map(String)
    for (const value of stored) {
      expect(await sessions.identify({ token: `a.b.${value}`, cookies: [value] })).toBeNull()
      expect(await sessions.identify({ token: null, cookies: [value] })).toBeNull()
    }
    expect(stored.join()).not.toContain(token.split('.')[2] ?? '?')
    expect(stored.join()).not.toContain(cookie ?? '?')
  })

  it('uses current permissions at the next call and asks the client to renew', async () => {
    const { addUser, users, signIn, sessions } = await createWorld()
    const ann = await addUser('ann')
    const { token } = await signIn('ann')
    expect(await sessions.identify({ token, cookies: [] })).toMatchObject({ shouldRenew: false, access: { hideDotfiles: false } })
    await users.change(ann, { fields: { hideDotfiles: true }, password: null, keep: null })
    expect(await sessions.identify({ token, cookies: [] })).toMatchObject({ shouldRenew: true, access: { hideDotfiles: true } })
  })

  it('of another client ends when its token expires, even if used', async () => {
    const { addUser, signIn, whose, pass } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    for (let i = 0; i < 119; i++) {
      pass(60_000)
      expect(await whose(token)).toBe('ann')
    }
    pass(60_000)
    expect(await whose(token)).toBeNull()
  })

  it('of our web app continues while it is used and ends after two idle hours', async () => {
    const { addUser, signIn, whose, pass } = await createWorld()
    await addUser('ann')
    const { token, cookie } = await signIn('ann', { web: true })
    for (let i = 0; i < 5; i++) {
      pass(1.9 * HOUR_MS)
      expect(await whose(token, cookie ?? '')).toBe('ann')
    }
    pass(2 * HOUR_MS)
    expect(await whose(token, cookie ?? '')).toBeNull()
  })

  it('of our web app ends after thirty days, even if used and renewed', async () => {
    const { addUser, signIn, sessions, idOf, pass } = await createWorld()
    await addUser('ann')
    const { cookie, ...first } = await signIn('ann', { web: true })
    let token = first.token
    for (let i = 0; i < 30 * 24 - 1; i++) {
      pass(HOUR_MS)
      if (i % 24 === 0) ({ token } = await sessions.renew(await idOf(token, cookie ?? ''), PLAIN))
      else expect(await sessions.identify({ token, cookies: [cookie ?? ''] })).not.toBeNull()
    }
    pass(HOUR_MS)
    expect(await sessions.identify({ token, cookies: [cookie ?? ''] })).toBeNull()
  })

  it('is saved at most once a minute', async () => {
    const { addUser, signIn, whose, pass, db } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    const seen = new Set<number>()
    for (let i = 0; i < 180; i++) {
      pass(1000)
      await whose(token)
      seen.add((await db.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at)
    }
    expect(seen.size).toBe(4)
  })

  it('T11: survives a clock that is set back a day', async () => {
    const { addUser, signIn, whose, pass } = await createWorld()
    await addUser('ann')
    const { token } = await signIn('ann')
    pass(-DAY_MS)
    expect(await whose(token)).toBe('ann')
    pass(DAY_MS + 2 * HOUR_MS)
    expect(await whose(token)).toBeNull()
  })

  it('leaves no rows after it was swept', async () => {
    const { addUser, signIn, sessions, db, pass } = await createWorld()
    await addUser('ann')
    await signIn('ann')
    await signIn('ann', { web: true })
    pass(2 * HOUR_MS)
    await sessions.sweep()
    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
  })
})
