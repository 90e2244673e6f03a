import type { Kysely } from 'kysely'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import { writesElsewhere } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings, SettingsReader } from '../settings/settings.ts'
import { accessOf } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import { hasEnded, shouldRenew, wantsTouch } from './life.ts'
import { createRecent } from './recent.ts'
import { findByCookie, findByKey, type SessionRow, touchSession } from './store.ts'
import { secretIn } from './token.ts'

/** A page asks for fifty thumbnails at once; another machine's revocation is felt after this long. */
const KEPT_MS = 1000
const KEPT_SESSIONS = 1000
/** More cookies of one name than this are not a browser's. */
const MAX_COOKIES = 4

export interface Identities {
  identify(presented: { token: string | null; cookies: readonly string[] }): Promise<Viewer | null>
  /** Sessions that changed: the next call reads them anew, also one that is reading them now. */
  forget(test: (row: SessionRow) => boolean): void
}

interface Known {
  row: SessionRow
  readonly account: Account
  readonly until: number
  /** What `writesElsewhere` said before it was read. */
  readonly elsewhere: number
  access: { readonly of: Settings; readonly access: Access } | null
}

/** Who presents what: the database's answer, remembered for a moment. Revocation on this machine is immediate. */
export function createIdentities({ db, users, settings, clock }: IdentitiesOptions): Identities {
  const kept = createRecent<string, Known>(KEPT_SESSIONS)
  // Counts what was forgotten, so that a reading begun before is not kept after it.
  let forgotten = 0

  async function known(key: string, read: () => Promise<SessionRow | null>, now: number): Promise<Known | null> {
    const remembered = kept.get(key)
    const elsewhere = writesElsewhere(db)
    if (remembered !== undefined && remembered.elsewhere === elsewhere && now < remembered.until && now >= remembered.until - KEPT_MS)
      return remembered
    const before = forgotten
    const row = await read()
    const account = row === null ? null : await users.find(row.user_id)
    if (row === null || account === null) return null
    const fresh: Known = { row, account, until: now + KEPT_MS, elsewhere, access: null }
    if (before === forgotten) kept.set(key, fresh)
    return fresh
  }

  async function admit(found: Known | null, cookieHashes: readonly string[], now: number): Promise<Viewer | null> {
    if (found === null || hasEnded(found.row, now)) return null
    const { row, account } = found
    if (account.disabled || account.authEpoch !== row.auth_epoch) return null
    if (row.cookie_hash !== null && !cookieHashes.includes(row.cookie_hash)) return null
    if (wantsTouch(row, now)) {
      found.row = { ...row, last_seen_at: now }
      await touchSession(db, row.id, now)
    }
    return {
      userId: account.id,
      username: account.username,
      sessionId: row.id,
      access: accessFor(found, await settings.read()),
      provenAt: new Date(row.proven_at),
      shouldRenew: shouldRenew(row, account.version, now),
    }
  }

  return {
    async identify({ token, cookies }) {
      const now = clock().getTime()
      const hashes = cookies.slice(0, MAX_COOKIES).map(hashOf)
      if (token !== null) {
        const secret = secretIn(token)
        if (secret === null) return null
        const key = hashOf(secret)
        return admit(await known(`token ${key}`, () => findByKey(db, key), now), hashes, now)
      }
      for (const hash of hashes) {
        const viewer = await admit(await known(`cookie ${hash}`, () => findByCookie(db, hash), now), hashes, now)
        if (viewer !== null) return viewer
      }
      return null
    },

    forget(test) {
      forgotten += 1
      kept.deleteWhere(({ row }) => test(row))
    },
  }
}

export interface IdentitiesOptions {
  db: Kysely<Schema>
  users: Users
  settings: SettingsReader
  clock: () => Date
}

/** Rules are compiled once per account and settings, not per call. */
function accessFor(found: Known, settings: Settings): Access {
  if (found.access?.of !== settings) found.access = { of: settings, access: accessOf(found.account, settings) }
  return found.access.access
}
