import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Users } from '../users/users.ts'
import { findSession, listFamily, type SessionRow } from './store.ts'

interface FollowDeps {
  readonly db: Kysely<Schema>
  readonly users: Pick<Users, 'find'>
  readonly clock: () => Date
}

/**
 * Whether the sign-in that started some work still counts, for work that outlives its call. It does not after sign-out, after being ended from
 * elsewhere, or after a password change. It does after its token expired, because nobody revoked anything.
 */
export async function followSignIn({ db, users, clock }: FollowDeps, sessionId: string): Promise<() => Promise<boolean>> {
  const first = await findSession(db, sessionId)
  if (first === null) return async () => false
  let epoch = first.auth_epoch
  let runsOutAt = runOutOf(first)

  return async () => {
    const account = await users.find(first.user_id)
    if (account === null) return false
    const rows = await listFamily(db, first.family)
    // Sessions are removed when they have ended: a removal before the expiry was a revocation.
    if (rows.length === 0) return clock().getTime() >= runsOutAt && account.authEpoch === epoch
    const counting = rows.filter((row) => row.revoked_at === null && row.auth_epoch === account.authEpoch)
    epoch = account.authEpoch
    runsOutAt = Math.max(...counting.map(runOutOf))
    return counting.length > 0
  }
}

function runOutOf({ expires_at, last_seen_at, idle_ms }: SessionRow): number {
  return Math.min(expires_at, last_seen_at + idle_ms)
}
