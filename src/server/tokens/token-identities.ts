import { createLru } from '../../shared/lru.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Kysely } from 'kysely'
import { cutTo } from '../access/token-access.ts'
import type { Viewer } from '../access/viewer.ts'
import { externalWrites } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings, SettingsReader } from '../settings/settings.ts'
import { accessOf, type Granted, type GrantedTo } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { firstMinuteOf } from '../users/first-minute.ts'
import { networksOf } from '../users/networks.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import type { PresentedToken } from '../http/presented-token.ts'
import { isWellFormedToken } from './token-format.ts'
import type { ApiToken, TokenStore } from './store.ts'

export interface TokenIdentitiesOptions {
  readonly db: Kysely<Schema>
  readonly store: TokenStore
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly clock: () => Date
  /** The token was used from a network that it was not used from before. */
  readonly onNewNetwork: (token: ApiToken, account: Account, address: string) => void
}

/** Revocation on another server takes effect after this long. */
const KEPT_MS = 1000
const KEPT_TOKENS = 1000
export const RECORD_USE_EVERY_MS = 60_000
/** Of each token; the longest unused are forgotten. */
const KEPT_NETWORKS = 50
const NEVER_PROVEN = new Date(0)

interface Known {
  token: ApiToken
  readonly account: Account
  readonly granted: Granted
  readonly usernameKey: string
  readonly until: number
  /** The value of `externalWrites` before it was read. */
  readonly elsewhere: number
  viewer: { readonly of: Settings; readonly viewer: Viewer } | null
}

interface Asking {
  readonly username: string | null
  readonly address: string | null
  readonly now: number
  readonly passive: boolean
  readonly elsewhere: number
}

export type TokenIdentities = ReturnType<typeof createTokenIdentities>

/** Looks up tokens, cached for a moment as sessions are. Revocation on this server is immediate. */
export function createTokenIdentities({ db, store, users, settings, grantedTo, clock, onNewNetwork }: TokenIdentitiesOptions) {
  const kept = createLru<string, Known>(KEPT_TOKENS)
  // Counts invalidations, so that a read that started before one is not cached.
  let forgotten = 0

  async function lookedUp(hash: string, { now, elsewhere }: Asking): Promise<Known | null> {
    const before = forgotten
    const token = await store.findByHash(hash)
    const account = token === null ? null : await users.find(token.userId)
    if (token === null || account === null) return null
    const granted = await grantedTo(account.id)
    const fresh = { token, account, granted, usernameKey: usernameKey(account.username), until: now + KEPT_MS, elsewhere, viewer: null }
    if (before === forgotten) kept.set(hash, fresh)
    return fresh
  }

  /** Null if the token does not count. */
  function admit(found: Known | null, asking: Asking): Viewer | null | Promise<Viewer | null> {
    if (found === null || hasEnded(found.token, asking.now) || found.account.disabled) return null
    if (asking.username !== null && usernameKey(asking.username) !== found.usernameKey) return null
    const usage = asking.passive ? null : usageOf(found.token, asking)
    const current = usage === null ? settings.readNow(asking.elsewhere) : null
    if (current !== null) return viewerOf(found, current)
    return admitLater(found, usage, asking)
  }

  async function admitLater(found: Known, usage: ReturnType<typeof usageOf>, { address, elsewhere }: Asking): Promise<Viewer> {
    if (usage !== null) {
      // At once, so that parallel requests do not record it again.
      found.token = { ...found.token, ...usage.record }
      if (usage.isNewNetwork && address !== null) onNewNetwork(found.token, found.account, address)
      // Recording use must not fail the request on a full disk.
      await store.recordUse(found.token.id, usage.record).catch(unlessFull)
    }
    return viewerOf(found, await settings.read(elsewhere))
  }

  /** The same object as long as nothing has changed. */
  function viewerOf(found: Known, current: Settings): Viewer {
    if (found.viewer?.of === current) return found.viewer.viewer
    const { account, granted, token } = found
    const { id, name, perm, folder } = token
    const access = accessOf(account, current, granted)
    const { mustChangePassword = false, mustSetUpFactor = false } = firstMinuteOf(account, access.may.admin, current)
    const viewer: Viewer = {
      userId: account.id,
      username: account.username,
      sessionId: `token ${id}`,
      access: cutTo(access, token),
      mustChangePassword,
      mustSetUpFactor,
      ...(account.webdavDisabled === true && { webdavDisabled: true }),
      sorting: account.sorting,
      provenAt: NEVER_PROVEN,
      isWeb: false,
      token: { id, name, perm, folder },
      shouldRenew: false,
    }
    found.viewer = { of: current, viewer }
    return viewer
  }

  return {
    /** The viewer of a token; null if it is unknown, has ended, or is somebody else's. Without a wait where it is known. `passive`: it does not count as used. */
    identify(
      { secret, username }: PresentedToken,
      { address, passive = false }: { address: string | null; passive?: boolean },
    ): Viewer | null | Promise<Viewer | null> {
      if (!isWellFormedToken(secret)) return null
      const asking = { username, address, passive, now: clock().getTime(), elsewhere: externalWrites(db) }
      const hash = hashOf(secret)
      const known = kept.get(hash)
      const isFresh =
        known !== undefined && known.elsewhere === asking.elsewhere && asking.now < known.until && asking.now >= known.until - KEPT_MS
      return isFresh ? admit(known, asking) : lookedUp(hash, asking).then((found) => admit(found, asking))
    },

    /** Drops what is cached of a user, or of everybody (null), also what is being read now. */
    forget(userId: number | null): void {
      forgotten += 1
      kept.deleteWhere(({ token }) => userId === null || token.userId === userId)
    },
  }
}

export function hasEnded({ expiresAt }: Pick<ApiToken, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt
}

/** What to record of a use; null if it was recorded a moment ago. */
function usageOf({ lastUsedAt, lastAddress, networks }: ApiToken, { now, address }: Pick<Asking, 'now' | 'address'>) {
  // Also after the clock was set back.
  const isRecent = lastUsedAt !== null && Math.abs(now - lastUsedAt) < RECORD_USE_EVERY_MS
  // From the same address as before, its network is known.
  if (isRecent && lastAddress === (address ?? '')) return null
  const network = address === null ? null : networksOf(address).own
  const isNewNetwork = network !== null && !networks.includes(network)
  if (!isNewNetwork && isRecent) return null
  const others = networks.filter((one) => one !== network)
  const all = network === null ? others : [...others, network].slice(-KEPT_NETWORKS)
  return { isNewNetwork, record: { lastUsedAt: now, lastAddress: address ?? '', networks: all } }
}

function unlessFull(error: unknown): void {
  if (!isAppError(error, 'storage-full')) throw error
}
