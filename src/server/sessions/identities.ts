import type { Access } from '../access/access.ts'
import { isAppError } from '../../shared/errors.ts'
import type { Kysely } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import { externalWrites } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings, SettingsReader } from '../settings/settings.ts'
import { accessOf, type Granted, type GrantedTo } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { firstMinuteOf } from '../users/first-minute.ts'
import type { Users } from '../users/users.ts'
import { createActiveCalls } from './active-calls.ts'
import { hasEnded, shouldRenew, TOUCH_EVERY_MS, wantsTouch } from './session-lifetime.ts'
import { createLru } from '../../shared/lru.ts'
import { findByCookie, findByKey, type SessionRow, touchFamily, touchSession } from './store.ts'
import { secretIn } from './token.ts'

/** A page requests fifty thumbnails at once; revocation on another machine takes effect after this long. */
const KEPT_MS = 1000
const KEPT_SESSIONS = 1000
/** A browser has no more cookies of one name. */
const MAX_COOKIES = 4

interface Presented {
  readonly token: string | null
  readonly cookies: readonly string[]
}

export interface CallUnderway {
  /**
   * @param isAtWork whether bytes of its response are still being sent; called periodically
   * @returns undefined if nothing has to be recorded
   */
  end(isAtWork?: (() => boolean) | null): Promise<void> | undefined
}

interface Asking {
  readonly now: number
  readonly passive: boolean
  /** The value of `externalWrites` before anything was read. */
  readonly elsewhere: number
}

interface Known {
  row: SessionRow
  readonly account: Account
  readonly granted: Granted
  readonly until: number
  /** The value of `externalWrites` before it was read. */
  readonly elsewhere: number
  /** The last viewer that it was, with these settings. */
  viewer: { readonly of: Settings; readonly viewer: Viewer } | null
}

export type Identities = ReturnType<typeof createIdentities>

/** Looks up sessions, cached for a moment. Revocation on this machine is immediate. */
export function createIdentities({ db, users, settings, grantedTo, clock }: IdentitiesOptions) {
  const kept = createLru<string, Known>(KEPT_SESSIONS)
  const families = new WeakMap<Viewer, string>()
  const busy = createActiveCalls()
  // Counts invalidations, so that a read that started before one is not cached.
  let forgotten = 0

  function remembered(key: string, { now, elsewhere }: Asking): Known | null {
    const known = kept.get(key)
    return known?.elsewhere === elsewhere && now < known.until && now >= known.until - KEPT_MS ? known : null
  }

  async function lookedUp(key: string, { now, elsewhere }: Asking): Promise<Known | null> {
    const before = forgotten
    const [kind, hash = ''] = key.split(' ')
    const row = await (kind === 'token' ? findByKey(db, hash) : findByCookie(db, hash))
    const account = row === null ? null : await users.find(row.user_id)
    if (row === null || account === null) return null
    const granted = await grantedTo(account.id)
    const fresh: Known = { row, account, granted, until: now + KEPT_MS, elsewhere, viewer: null }
    if (before === forgotten) kept.set(key, fresh)
    return fresh
  }

  /** Null if the session does not count, or nobody is known. */
  function admit(found: Known | null, cookieHashes: readonly string[], asking: Asking): Viewer | null | Promise<Viewer | null> {
    if (found === null) return null
    const { now, passive, elsewhere } = asking
    const { account } = found
    // Checked last, because it needs a lookup.
    const row = hasEnded(found.row, now) && busy.has(found.row.family) ? { ...found.row, last_seen_at: now } : found.row
    if (hasEnded(row, now)) return null
    if (account.disabled || account.authEpoch !== row.auth_epoch) return null
    if (row.cookie_hash !== null && !cookieHashes.includes(row.cookie_hash)) return null
    const touches = !passive && wantsTouch(found.row, now)
    const current = touches ? null : settings.readNow(elsewhere)
    if (current !== null) return viewerOf(found, row, { now, current })
    return admitLater(found, row, { ...asking, touches })
  }

  async function admitLater(found: Known, row: SessionRow, { now, elsewhere, touches }: Asking & { touches: boolean }): Promise<Viewer> {
    if (touches) {
      found.row = { ...row, last_seen_at: now }
      // Recording use must not fail the request on a full disk.
      await touchSession(db, row.id, now).catch(unlessFull)
    }
    return viewerOf(found, row, { now, current: await settings.read(elsewhere) })
  }

  function viewerOf(found: Known, row: SessionRow, { now, current }: { now: number; current: Settings }): Viewer {
    const { account, granted } = found
    const renews = shouldRenew(row, account.version, now)
    const before = found.viewer?.of === current ? found.viewer.viewer : null
    if (before?.shouldRenew === renews) return before
    const access = before?.access ?? accessOf(account, current, granted)
    const viewer: Viewer = {
      userId: account.id,
      username: account.username,
      sessionId: row.id,
      access,
      ...heldBackBy(account, access, current),
      sorting: account.sorting,
      provenAt: new Date(row.proof_at ?? row.proven_at),
      isWeb: row.cookie_hash !== null,
      shouldRenew: renews,
    }
    found.viewer = { of: current, viewer }
    families.set(viewer, row.family)
    return viewer
  }

  function unlessFull(error: unknown): void {
    if (!isAppError(error, 'storage-full')) throw error
  }

  /** Drops cached sessions, also those that are being read now; the next call reads them again. */
  function forget(test: (row: SessionRow) => boolean): void {
    forgotten += 1
    kept.deleteWhere(({ row }) => test(row))
  }

  async function touch(family: string): Promise<void> {
    await touchFamily(db, family, clock().getTime())
    forget((row) => row.family === family)
  }

  /** The viewer of the first key that opens a session. */
  async function identifyLater(keys: readonly string[], hashes: readonly string[], asking: Asking): Promise<Viewer | null> {
    for (const key of keys) {
      const viewer = await admit(remembered(key, asking) ?? (await lookedUp(key, asking)), hashes, asking)
      if (viewer !== null) return viewer
    }
    return null
  }

  return {
    /** Without a wait where it is known. `passive`: the session does not count as used. */
    identify({ token, cookies }: Presented, { passive = false }: { passive?: boolean } = {}): Viewer | null | Promise<Viewer | null> {
      const asking = { now: clock().getTime(), passive, elsewhere: externalWrites(db) }
      const hashes = cookies.slice(0, MAX_COOKIES).map(hashOf)
      const secret = token === null ? null : secretIn(token)
      if (token !== null && secret === null) return null
      const keys = secret === null ? hashes.map((hash) => `cookie ${hash}`) : [`token ${hashOf(secret)}`]
      const known = keys[0] === undefined ? null : remembered(keys[0], asking)
      return admit(known, hashes, asking) ?? identifyLater(keys, hashes, asking)
    },

    /** A call of a viewer begins; while it lasts, their sign-in is not idle. `isAtWork` reports more for a call whose end is not reported. */
    during(viewer: Viewer): CallUnderway {
      const family = families.get(viewer)
      if (family === undefined) return { end: () => undefined }
      const begun = clock().getTime()
      const call = busy.begin(family)
      return {
        end(isAtWork = null) {
          if (Math.abs(clock().getTime() - begun) >= TOUCH_EVERY_MS) return touch(family).finally(() => call.end(isAtWork))
          call.end(isAtWork)
          return undefined
        },
      }
    },

    /** Records that sign-ins with calls in progress are in use; call it before idle ones are removed, and periodically. */
    async touchBusy(): Promise<void> {
      for (const family of busy.families()) await touch(family)
    },

    forget,
  }
}

/** What the user has to do first. */
function heldBackBy(account: Account, { may }: Access, settings: Settings): Pick<Viewer, 'mustChangePassword' | 'mustSetUpFactor'> {
  const { mustChangePassword = false, mustSetUpFactor = false } = firstMinuteOf(account, may.admin, settings)
  return { mustChangePassword, mustSetUpFactor }
}

export interface IdentitiesOptions {
  db: Kysely<Schema>
  users: Users
  settings: SettingsReader
  grantedTo: GrantedTo
  clock: () => Date
}
