import { randomBytes } from 'node:crypto'
import { detailsOf } from '../../shared/audit-details.ts'
import type { AuditKind } from '../../shared/contract/audit.ts'
import type { Share as WireShare, ShareWish } from '../../shared/contract/shares.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Drive } from '../drive/drive.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { cleanScope } from '../users/access-of.ts'
import type { Passwords } from '../users/password.ts'
import type { Users } from '../users/users.ts'
import type { Share, ShareStore } from './store.ts'
import { readTerms } from './wish.ts'

/** Links as those who make them see them. */
export interface Shares {
  /** The caller's own; for an administrator everybody's. */
  mine(viewer: Viewer): Promise<WireShare[]>
  /** Of one node, under whatever name; for an administrator whoever shared it. Fails with `not-found`. */
  ofPath(viewer: Viewer, path: FilePath): Promise<WireShare[]>
  /** Fails with `not-found` for what is not there or is neither file nor folder, and with `invalid-input`. */
  create(viewer: Viewer, path: FilePath, wish: ShareWish, from?: Sender): Promise<WireShare>
  /** Somebody else's link is `not-found`, unless the caller is an administrator (GHSA-6cqf-cfhv-659g). */
  remove(viewer: Viewer, hash: string, from?: Sender): Promise<void>
}

/** Where a call comes from; null on a unix socket. */
export interface Sender {
  readonly address: string | null
}

const NOWHERE: Sender = { address: null }

export interface SharesDeps {
  readonly store: ShareStore
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly passwords: Passwords
  readonly driveFor: (access: Access) => Drive
  /** The whole storage, for looking up where a scope really is. */
  readonly house: Drive
  readonly clock: () => Date
  readonly bus: Bus
}

export function createShares({ store, users, passwords, driveFor, house, clock, bus }: Omit<SharesDeps, 'settings'>): Shares {
  /** The link itself is as good as a password, and is not told. */
  function note(kind: AuditKind, { userId, username }: Viewer, share: WireShare | null, { address }: Sender): void {
    const details = share === null ? [] : detailsOf({}, { expire: endOf(share), protected: share.hasPassword })
    bus.announce('noted', { kind, by: { id: userId, name: username }, address, subject: share?.path ?? '', details })
  }

  async function toWire(shares: Share[]): Promise<WireShare[]> {
    const scopes = new Map<number, Promise<FilePath | null>>()
    const scopeOf = (userId: number) => {
      const known =
        scopes.get(userId) ?? users.find(userId).then((owner) => (owner === null ? null : realScope(house, cleanScope(owner.scope))))
      scopes.set(userId, known)
      return known
    }
    return Promise.all(shares.map(async (share) => asWire(share, await scopeOf(share.userId))))
  }

  return {
    async mine({ userId, access }) {
      return toWire(await store.list({ now: clock(), ...(!access.may.admin && { userId }) }))
    },

    async ofPath({ userId, access }, path) {
      const place = await driveFor(access).place(path, 'follow')
      return toWire(await store.list({ place, now: clock(), ...(!access.may.admin && { userId }) }))
    },

    async create(viewer, path, wish, from = NOWHERE) {
      const { userId, access } = viewer
      const now = clock()
      const { expire, password } = readTerms(wish, now)
      const drive = driveFor(access)
      const { stat, target } = await drive.stat(path)
      const folder = stat.kind === 'folder'
      // A link that leads nowhere, or out of the scope, is nothing that could be shared (GHSA-3q2p-72cj-682c).
      if ((!folder && stat.kind !== 'file') || (target !== null && target !== 'inside')) fail('not-found', { path })
      const place = await drive.place(path, 'follow')
      if (!place.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
      const passwordHash = password === null ? null : await passwords.hash(password)
      const share = { userId, place, identity: stat.identity, folder, expire, passwordHash, passwordVersion: 1 }
      for (;;) {
        const hash = newHash()
        if (!(await store.create({ ...share, hash, createdAt: now }))) continue
        const made = (await toWire([{ ...share, hash }]))[0] ?? fail('not-found', {})
        note('share-created', viewer, made, from)
        return made
      }
    },

    async remove(viewer, hash, from = NOWHERE) {
      const { userId, access } = viewer
      const share = await store.find(hash)
      if (share === null || (share.userId !== userId && !access.may.admin)) fail('not-found', {})
      await store.remove([hash])
      note('share-removed', viewer, (await toWire([share]))[0] ?? null, from)
    },
  }
}

/** Where an account's folder really is; null when it is gone. */
export async function realScope(house: Drive, scope: FilePath): Promise<FilePath | null> {
  try {
    return await house.place(scope, 'follow')
  } catch (error) {
    if (isAppError(error, 'not-found')) return null
    throw error
  }
}

/** Field by field: no hash of a password leaves (GHSA-833g-cqhp-h72j). Of a node outside the owner's scope only the name is told. */
function asWire({ hash, place, folder, userId, expire, passwordHash }: Share, scope: FilePath | null): WireShare {
  const path = (scope && pathFrom(scope, place)) ?? `/${nameOf(place)}`
  return { hash, path: folder && path !== ROOT ? `${path}/` : path, userID: userId, expire, hasPassword: passwordHash !== null }
}

/** Six random bytes as eight characters, as links have always looked (contract reference 1.17). */
function newHash(): string {
  return randomBytes(6).toString('base64url')
}

/** A link may end later than calendars reach. */
function endOf({ expire }: WireShare): string {
  const end = new Date(expire * 1000)
  if (expire === 0) return 'permanent'
  return Number.isNaN(end.getTime()) ? `${expire} s` : end.toISOString()
}
