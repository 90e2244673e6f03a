import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { fail, isAppError } from '../../shared/errors.ts'
import { createLru } from '../../shared/lru.ts'
import { createSingleFlight } from '../../shared/single-flight.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { externalWrites } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { Settings, SettingsReader } from '../settings/settings.ts'
import { accessOf, type Granted, type GrantedTo } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { firstMinuteOf } from '../users/first-minute.ts'
import { networksOf } from '../users/networks.ts'
import { asksForFactors } from '../users/second-factor.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'

export interface PasswordIdentitiesOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly users: Pick<Users, 'find' | 'findByName'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly clock: () => Date
  /** Proves a password by the configured method of signing in. Fails with `wrong-credentials` or `too-many-requests`. */
  readonly prove: (credentials: { username: string; password: string; address: string | null }) => Promise<Account>
}

export interface PasswordCredentials {
  readonly username: string
  readonly password: string
  readonly address: string | null
}

/** A program asks many times a minute; the password is proven again after this long. */
export const PROVEN_MS = 60_000
/** What another server changes takes effect after this long; a change here at once. */
const KEPT_MS = 1000
const REMEMBERED = 10_000
const NEVER_PROVEN = new Date(0)

/** Somebody whose password was proven, with the hash that it matched. */
interface Proven {
  readonly userId: number
  readonly passwordHash: string
  readonly until: number
}

interface Known {
  readonly account: Account
  readonly granted: Granted
  readonly until: number
  readonly elsewhere: number
  viewer: { readonly of: Settings; readonly viewer: Viewer } | null
}

/**
 * Who somebody is by name and password. A password that was proven is not hashed again for a minute, nor counted as an attempt; with each request the
 * account must still be there, enabled, with the same password. In memory only, by an HMAC under a key of this process. What lets nobody in is not remembered.
 */
export function createPasswordIdentities({ db, bus, users, settings, grantedTo, clock, prove }: PasswordIdentitiesOptions) {
  const secret = randomBytes(32)
  const proven = createLru<string, Proven>(REMEMBERED)
  const kept = createLru<number, Known>(REMEMBERED)
  const noted = createLru<string, true>(REMEMBERED)
  const flights = createSingleFlight<Account>()
  // Counts invalidations, so that a read that started before one is not kept.
  let forgotten = 0

  function forget(userId: number | null): void {
    forgotten += 1
    kept.deleteWhere(({ account }) => userId === null || account.id === userId)
  }
  for (const topic of ['user.changed', 'session.changed', 'group.changed'] as const) bus.on(topic, ({ userId }) => forget(userId))
  // Another method of signing in may not accept them.
  bus.on('settings.changed', () => proven.deleteWhere(() => true))

  /** With the network: what was proven from one says nothing to somebody who guesses from another. */
  const keyOf = ({ username, password, address }: PasswordCredentials): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([usernameKey(username), password, address === null ? '' : networksOf(address).own]))
      .digest('base64')

  async function known(userId: number): Promise<Known | null> {
    const [now, elsewhere] = [clock().getTime(), externalWrites(db)]
    const found = kept.get(userId)
    if (found !== undefined && found.elsewhere === elsewhere && now < found.until && now >= found.until - KEPT_MS) return found
    const before = forgotten
    const account = await users.find(userId)
    if (account === null) return null
    const fresh: Known = { account, granted: await grantedTo(userId), until: now + KEPT_MS, elsewhere, viewer: null }
    if (before === forgotten) kept.set(userId, fresh)
    return fresh
  }

  /** A sign-in once from each network, and each failure: not each request. */
  function noteEntry({ id, username }: Account, address: string | null): void {
    const key = `${id} ${address === null ? '' : networksOf(address).own}`
    if (noted.get(key) === true) return
    noted.set(key, true)
    const details = [{ place: 'method', before: null, after: 'webdav' }]
    bus.announce('noted', { kind: 'sign-in', by: { id, name: username }, address, subject: username, details })
  }

  async function noteFailure({ username, address }: PasswordCredentials): Promise<void> {
    const account = username === '' ? null : await users.findByName(username).catch(() => null)
    bus.announce('noted', { kind: 'sign-in-failed', by: null, address, subject: account?.username ?? '' })
  }

  async function proveNow(credentials: PasswordCredentials): Promise<Account> {
    const { authMethod } = await settings.read()
    // A proxy vouches for people by a header, which is none for programs; and without a sign-in there are no passwords.
    if (authMethod !== 'json' && authMethod !== 'hook') fail('wrong-credentials', {})
    try {
      return await prove(credentials)
    } catch (error) {
      if (isAppError(error, 'wrong-credentials')) void noteFailure(credentials)
      throw error
    }
  }

  async function viewerOf(found: Known, address: string | null): Promise<Viewer> {
    const current = await settings.read()
    if (found.viewer?.of === current) return found.viewer.viewer
    const { account, granted } = found
    if (account.secondFactor && asksForFactors(current)) fail('second-factor-needed', { ticket: '', ways: [] })
    const access = accessOf(account, current, granted)
    const { mustChangePassword = false, mustSetUpFactor = false } = firstMinuteOf(account, access.may.admin, current)
    noteEntry(account, address)
    const viewer: Viewer = {
      userId: account.id,
      username: account.username,
      sessionId: `webdav ${account.id}`,
      access,
      mustChangePassword,
      mustSetUpFactor,
      ...(account.webdavDisabled === true && { webdavDisabled: true }),
      sorting: account.sorting,
      provenAt: NEVER_PROVEN,
      isWeb: false,
      shouldRenew: false,
    }
    found.viewer = { of: current, viewer }
    return viewer
  }

  async function knownBy(key: string): Promise<Known | null> {
    const now = clock().getTime()
    const one = proven.get(key)
    if (one === undefined || now >= one.until || now < one.until - PROVEN_MS) return null
    const found = await stillWith(one)
    if (found === null) proven.delete(key)
    return found
  }

  /** The same account with the password that was proven, whenever that was: for work that takes longer. */
  async function stillWith({ userId, passwordHash }: Omit<Proven, 'until'>): Promise<Known | null> {
    const found = await known(userId)
    return found !== null && !found.account.disabled && found.account.passwordHash === passwordHash ? found : null
  }

  return {
    /**
     * Who it is, and a function for long work that tells who it is now, or null if the credentials do not count any more. Fails with `wrong-credentials`,
     * `too-many-requests`, and `second-factor-needed` for an account that has one: a program cannot ask for it, so it needs an API token.
     */
    async identify(credentials: PasswordCredentials): Promise<{ viewer: Viewer; now: () => Promise<Viewer | null> }> {
      const key = keyOf(credentials)
      const { address } = credentials
      const before = await knownBy(key)
      // Programs begin with several requests at once: one attempt. Who guesses from another address counts alone.
      const proveOnce = () => flights(`${key} ${address ?? ''}`, () => proveNow(credentials))
      const first = before?.account ?? (await proveOnce())
      // A hash of an older kind is replaced when the password was proven.
      const proof = proofOf((await stillWith(proofOf(first))) === null ? await proveOnce() : first)
      const found = (await stillWith(proof)) ?? fail('wrong-credentials', {})
      const viewer = await viewerOf(found, address)
      // Only now: what lets nobody in is not remembered.
      if (before === null) proven.set(key, { ...proof, until: clock().getTime() + PROVEN_MS })
      return {
        viewer,
        async now() {
          const then = await stillWith(proof)
          return then === null ? null : viewerOf(then, address)
        },
      }
    },
  }
}

function proofOf({ id: userId, passwordHash }: Account): Omit<Proven, 'until'> {
  return { userId, passwordHash }
}
