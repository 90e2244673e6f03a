import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, ROOT } from '../../shared/file-path.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import type { ShareRights } from '../../shared/contract/shares.ts'
import { isUsedUp } from '../../shared/used-up.ts'
import type { Access } from '../access/access.ts'
import { cutAccess } from '../access/cut.ts'
import { requiringRight } from '../access/requiring.ts'
import { type AccessChanges, createLatest } from '../access/latest.ts'
import { ALL_RIGHTS, NO_RIGHTS } from '../access/permissions.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'
import type { GrantedTo } from '../users/access-of.ts'
import { type SharesDeps, stillOpen } from './shares.ts'
import { createOwnerGrant } from './owner-grant.ts'
import { objectAt } from './shared-object.ts'
import type { Share } from './store.ts'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashOf, newSecret } from '../db/secret.ts'

export interface Proof {
  /** In clear; null if none was given. */
  readonly password: string | null
  /** Tickets of earlier visits to the link of this hash, from the address, a header or a cookie. */
  readonly tickets: (hash: string) => readonly string[]
  readonly address: string | null
  /** Whether this visitor may finish what they began before the link was used up; nobody may if absent. */
  readonly mayFinish?: (share: Share, tickets: readonly string[]) => Promise<boolean>
}

/** An open link: the shared node and everything below it, as a Drive. */
export interface Visit {
  readonly share: Share
  /** Of the shared node; empty if it is its owner's whole root. */
  readonly name: string
  readonly entry: Entry
  /** Operations are done in the owner's name. */
  readonly drive: Drive
  /** Reads files to generate pictures, also for view-only links. */
  readonly pictures: Drive
  /** Opens the same link again without the password for a while, and distinguishes visitors of a limited link; null for a link that needs neither. */
  readonly ticket: string | null
}

export interface VisitDeps extends SharesDeps, SharePasswordDeps {
  readonly grantedTo: GrantedTo
  readonly changes: AccessChanges
}

/**
 * Opens a link. Fails with `not-found` for one that has ended, is used up or never existed, and if the owner was deleted or disabled or may no longer
 * share; with `share-not-yet` before its start, and with `share-password-needed` without the right password or a ticket.
 * @param name its hash, or its slug
 */
export type OpenVisit = (name: string, proof: Proof) => Promise<Visit>

export function createVisits(deps: Omit<VisitDeps, 'visits'>): OpenVisit {
  const { store, driveFor, systemDrive, clock, changes } = deps
  const grantOf = createOwnerGrant(deps)

  /** While the link is unchanged, open and leads to the same node; what visitors have begun continues if only its limit is used up. */
  async function accessNow(share: Share, rights: ShareRights): Promise<Access> {
    try {
      const now = stillOpen(await store.find(share.hash), clock())
      if (now.passwordVersion !== share.passwordVersion || now.rights !== share.rights) return fail('access-changed', {})
      const { access, start } = await grantOf.of(now)
      await grantOf.objectOf(now)
      return accessThrough(access, start, rights)
    } catch (error) {
      // Not `not-found`, which in the middle of a response refers to one file.
      return isAppError(error, 'not-found') ? fail('access-changed', {}) : Promise.reject(error)
    }
  }

  /** For links of an earlier version, to a folder on a disk without times of birth, which had no marker then. */
  async function markOld(share: Share, found: string): Promise<void> {
    if (!share.folder || !found.endsWith(':0')) return
    const identity = await objectAt(systemDrive, share.place, { make: true })
    if (identity !== found) await store.rebind(share.hash, { place: share.place, identity })
  }

  async function enter(share: Share): Promise<Omit<Visit, 'share' | 'ticket'>> {
    const { owner, access, start } = await grantOf.of(share)
    const driveWith = (rights: ShareRights): Drive => {
      const through = accessThrough(access, start, rights)
      const latest = createLatest(through, () => accessNow(share, rights), changes)
      return driveFor(
        { ...through, given: { by: 'link', share: share.hash, owner: owner.id }, latest },
        { id: owner.id, name: owner.username, via: 'link' },
      )
    }
    const drive = driveWith(share.rights)
    const entry = await drive.stat(ROOT)
    await markOld(share, await grantOf.objectOf(share))
    // A drop box needs an owner who may create files.
    if (share.rights === 'drop' && !drive.may('create', ROOT)) return fail('not-found', {})
    const pictures = share.rights === 'view' ? driveWith('download') : drive
    return { name: nameOf(start), entry, drive, pictures }
  }

  return async (name, proof) => {
    const share = stillOpen(await store.find(name), clock())
    const tickets = proof.tickets(share.hash)
    if (isUsedUp(share) && (await proof.mayFinish?.(share, tickets)) !== true) return fail('not-found', {})
    const entered = await enter(share)
    if (share.starts * 1000 > clock().getTime()) return fail('share-not-yet', { starts: share.starts })
    if (share.passwordHash !== null) return { ...entered, share, ticket: await checkSharePassword(deps, share, { ...proof, tickets }) }
    const given = tickets.find((ticket) => isVisitorTicket(share, ticket))
    return { ...entered, share, ticket: share.maxDownloads === 0 ? null : (given ?? newVisitorTicket(share)) }
  }
}

/** A visitor sees what the owner sees and may share today, from the shared node down, and may do what the link allows and the owner may. */
export function accessThrough(owner: Access, start: FilePath, rights: ShareRights): Access {
  return { ...cutAccess(requiringRight(owner, 'share'), { rights: RIGHTS_OF_LINK[rights] }), start }
}

export const RIGHTS_OF_LINK: Readonly<Record<ShareRights, Permissions>> = {
  view: NO_RIGHTS,
  drop: { ...NO_RIGHTS, create: true },
  download: { ...NO_RIGHTS, download: true },
  edit: { ...ALL_RIGHTS, admin: false, execute: false, share: false },
}

const NONCE_BYTES = 16
const SEAL_BYTES = 16

/**
 * Distinguishes visitors of a limited link. Only the server can issue one: it ends with a seal under the key of its link, so that a made-up ticket is
 * never taken for a visitor who was counted already (A13). Nothing of it is stored.
 */
function newVisitorTicket(share: Pick<Share, 'ticketKey'>): string {
  const nonce = randomBytes(NONCE_BYTES)
  return Buffer.concat([nonce, sealOf(share, nonce)]).toString('base64url')
}

function isVisitorTicket({ ticketKey }: Pick<Share, 'ticketKey'>, ticket: string): boolean {
  const bytes = Buffer.from(ticket, 'base64url')
  if (ticketKey === '' || bytes.length !== NONCE_BYTES + SEAL_BYTES) return false
  return timingSafeEqual(sealOf({ ticketKey }, bytes.subarray(0, NONCE_BYTES)), bytes.subarray(NONCE_BYTES))
}

function sealOf({ ticketKey }: Pick<Share, 'ticketKey'>, nonce: Uint8Array): Buffer {
  return createHmac('sha256', ticketKey).update(nonce).digest().subarray(0, SEAL_BYTES)
}

interface SharePasswordDeps extends Pick<SharesDeps, 'store' | 'passwords' | 'clock'> {
  /** Counts a guess before anything is hashed; fails with `too-many-requests`. */
  readonly attempt: (guess: { address: string | null; account: string }) => Promise<{ succeeded(): Promise<void> }>
}

interface Presented {
  /** In clear; null if none was given. */
  readonly password: string | null
  readonly address: string | null
  readonly tickets: readonly string[]
}

/** Fails with `share-password-needed` without the right password or a valid ticket. @returns a ticket for the next request */
async function checkSharePassword(deps: SharePasswordDeps, share: Share, { password, address, tickets }: Presented): Promise<string> {
  const { store, passwords, attempt } = deps
  const now = deps.clock()
  for (const ticket of tickets) if (await store.useTicket(hashOf(ticket), share, now)) return ticket
  if (password === null) return fail('share-password-needed', {})
  const guess = await attempt({ address, account: `share ${share.hash}` })
  const turn = { priority: 'links', subject: `share ${share.hash}`, address } as const
  // Passwords set here have no spaces around them, so they may be pasted with some; those of moved links may have them.
  const isRight = async (text: string): Promise<boolean> => (await passwords.verify(text, share.passwordHash, { turn })) !== 'wrong'
  const isProven = (await isRight(password)) || (password !== password.trim() && (await isRight(password.trim())))
  if (!isProven) return fail('share-password-needed', {})
  await guess.succeeded()
  const ticket = newSecret()
  await store.grant(hashOf(ticket), share, now)
  return ticket
}
