import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import { NO_RIGHTS } from '../access/permissions.ts'
import { hashOf, newSecret } from '../db/secret.ts'
import type { Drive, Entry } from '../drive/drive.ts'
import { accessOf } from '../users/access-of.ts'
import { realScope, type SharesDeps } from './shares.ts'
import type { Share } from './store.ts'

/** What a visitor shows at the door, besides the link. */
export interface Proof {
  /** In clear; null when none was given. */
  readonly password: string | null
  /** Of an earlier visit, from the address or a cookie. */
  readonly tickets: readonly string[]
  readonly address: string | null
}

/** A visit: the shared node and what is below it, as a Drive that begins there. */
export interface Visit {
  readonly share: Share
  /** Of the shared node; empty when it is its owner's whole folder. */
  readonly name: string
  readonly entry: Entry
  readonly drive: Drive
  /** Opens the same link again without the password for a while; null for a link that has none. */
  readonly ticket: string | null
}

export interface VisitDeps extends SharesDeps {
  /** Counts a guess before it costs anything; fails with `too-many-requests`. */
  readonly attempt: (guess: { address: string | null; account: string }) => { succeeded(): void }
}

/**
 * Opens a link. Fails with `not-found` for one that has ended or never was, and for the owner who is gone, switched off or may share no more;
 * with `share-password-needed` without the right password or a ticket.
 */
export type OpenVisit = (hash: string, proof: Proof) => Promise<Visit>

export function createVisits({ store, users, settings, passwords, driveFor, house, clock, attempt }: VisitDeps): OpenVisit {
  /** Asked again at every request: a grant is alive as long as the one who gave it could give it (invariant I8). */
  async function enter(share: Share): Promise<Omit<Visit, 'share' | 'ticket'>> {
    const owner = await users.find(share.userId)
    if (owner === null || owner.disabled) return fail('not-found', {})
    const access = accessOf(owner, await settings.read())
    if (!access.may.share) return fail('not-found', {})
    const scope = await realScope(house, access.scope)
    const start = scope && pathFrom(scope, share.place)
    if (start === null) return fail('not-found', {})
    const drive = driveFor(accessThrough(access, start))
    const entry = await drive.stat(ROOT)
    // Whatever else is there by now is not what was shared (GHSA-m8v4-4w34-rrvf, GHSA-r6pg-pg54-rcr5).
    if (entry.stat.identity !== share.identity) return fail('not-found', {})
    return { name: nameOf(start), entry, drive }
  }

  async function unlock(share: Share, { password, tickets, address }: Proof): Promise<string> {
    const now = clock()
    for (const ticket of tickets) if (await store.useTicket(hashOf(ticket), share, now)) return ticket
    if (password === null) return fail('share-password-needed', {})
    const guess = attempt({ address, account: `share ${share.hash}` })
    if ((await passwords.verify(password.trim(), share.passwordHash)) === 'wrong') return fail('share-password-needed', {})
    guess.succeeded()
    const ticket = newSecret()
    await store.grant(hashOf(ticket), share, now)
    return ticket
  }

  return async (hash, proof) => {
    const share = stillOpen(await store.find(hash), clock())
    const entered = await enter(share)
    return { ...entered, share, ticket: share.passwordHash === null ? null : await unlock(share, proof) }
  }
}

/** A visitor sees what the owner sees today, from the shared node down, and can only look and take. */
export function accessThrough(owner: Access, start: FilePath): Access {
  return { ...owner, start, may: { ...NO_RIGHTS, download: owner.may.download } }
}

/** A share that has ended looks just like one that never was. */
export function stillOpen(share: Share | null, now: Date): Share {
  const ended = share === null || (share.expire !== 0 && share.expire * 1000 <= now.getTime())
  return ended ? fail('not-found', {}) : share
}
