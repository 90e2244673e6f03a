import { randomBytes } from 'node:crypto'
import { detailsOf } from '../../shared/audit-details.ts'
import type { AuditKind } from '../../shared/contract/audit.ts'
import { Share as WireShare, type ShareChange, type ShareVisit, type ShareInput } from '../../shared/contract/shares.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import { type FilePath, nameOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import { type Access, inStorage, rightsAt } from '../access/access.ts'
import { performerOf, type Viewer } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import { newSecret } from '../db/secret.ts'
import type { Actor } from '../drive/operation.ts'
import type { Drive } from '../drive/drive.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { QueueEntry } from '../users/sign-in-queue.ts'
import type { Passwords } from '../users/password.ts'
import type { Users } from '../users/users.ts'
import { brokenAmong } from './broken-links.ts'
import { objectAt } from './shared-object.ts'
import type { Share, ShareStore } from './store.ts'
import type { VisitLog } from './visit-log.ts'
import { refuseBeyondToken } from './token-links.ts'
import { DEFAULT_TERMS, readShareInput } from './read-share-input.ts'

/** Links, for those who create them. */
export type Shares = ReturnType<typeof createShares>

/** The client's address; null on a unix socket. */
export interface ClientInfo {
  readonly address: string | null
}

/** Others may be changing the same link; after this many attempts the change fails. */
const ATTEMPTS = 5

const NOWHERE: ClientInfo = { address: null }

export interface SharesDeps {
  readonly store: ShareStore
  readonly visits: VisitLog
  readonly users: Pick<Users, 'find'>
  readonly settings: SettingsReader
  readonly passwords: Passwords
  readonly driveFor: (access: Access, actor?: Actor) => Drive
  /** The whole storage, to resolve scopes. */
  readonly systemDrive: Drive
  readonly clock: () => Date
  readonly bus: Bus
}

export function createShares(deps: Omit<SharesDeps, 'settings'>) {
  const { store, visits, users, passwords, driveFor, systemDrive, clock, bus } = deps

  /** The link itself is as good as a password, so it is not recorded. */
  function note(kind: AuditKind, viewer: Viewer, share: WireShare, { address }: ClientInfo, before: WireShare | null = null): void {
    const details = detailsOf(before === null ? {} : auditDetails(before), auditDetails(share))
    bus.announce('noted', { kind, by: performerOf(viewer), address, subject: share.path, details })
  }

  async function toWire(shares: Share[]): Promise<WireShare[]> {
    const scopes = new Map<number, Promise<FilePath | null>>()
    const scopeOf = (userId: number) => {
      const known =
        scopes.get(userId) ?? users.find(userId).then((owner) => (owner === null ? null : realScope(systemDrive, cleanScope(owner.scope))))
      scopes.set(userId, known)
      return known
    }
    const broken = await brokenAmong(
      shares.filter(({ trashed }) => trashed === ''),
      systemDrive,
    )
    return Promise.all(shares.map(async (share) => asWire(share, await scopeOf(share.userId), broken.has(share))))
  }

  const toOne = async (share: Share): Promise<WireShare> => (await toWire([share]))[0] ?? fail('not-found', {})
  /** Also if its node is in the trash. */
  const own = async ({ userId, access }: Viewer, hash: string): Promise<Share> => {
    const share = await store.find(hash)
    return share !== null && share.hash === hash && (share.userId === userId || access.may.admin) ? share : fail('not-found', {})
  }

  return {
    /** The caller's own, for an administrator everybody's; also those to nodes in the trash. */
    async mine({ userId, access }: Viewer): Promise<WireShare[]> {
      return toWire(await store.list({ now: clock(), ...(!access.may.admin && { userId }) }))
    },

    /** Links to one node, under whatever name; for an administrator those of all users. Fails with `not-found`. */
    async ofPath({ userId, access }: Viewer, path: FilePath): Promise<WireShare[]> {
      const place = await driveFor(access).place(path, 'follow')
      const found = await toWire(await store.list({ place, now: clock(), ...(!access.may.admin && { userId }) }))
      return found.filter(({ broken }) => !broken)
    },

    /** Links of all users to a node or to a folder around it that lead somewhere. @param place of the storage, links resolved */
    async around(place: FilePath): Promise<Share[]> {
      const found = (await store.around(place, clock())).filter(({ trashed }) => trashed === '')
      const broken = await brokenAmong(found, systemDrive)
      return found.filter((share) => !broken.has(share))
    },

    /** Links and shares with people, by owner. `of`: those that lead somewhere. */
    given: {
      owners: async (): Promise<ReadonlySet<number>> => new Set(await store.owners(clock())),
      async of(userId: number): Promise<Share[]> {
        const found = (await store.given(userId, clock())).filter(({ trashed }) => trashed === '')
        const broken = await brokenAmong(found, systemDrive)
        return found.filter((share) => !broken.has(share))
      },
    },

    /** Fails with `not-found` for a missing node or one that is neither file nor folder, and with `invalid-input`. */
    async create(viewer: Viewer, path: FilePath, input: ShareInput, from: ClientInfo = NOWHERE): Promise<WireShare> {
      const { userId, access } = viewer
      const now = clock()
      const drive = driveFor(access)
      if (!drive.may('share', path)) fail('forbidden', { right: 'share' })
      const { stat, target } = await drive.stat(path)
      const folder = stat.kind === 'folder'
      // A link that leads nowhere, or out of the scope, cannot be shared (GHSA-3q2p-72cj-682c).
      if ((!folder && stat.kind !== 'file') || (target !== null && target !== 'inside')) fail('not-found', { path })
      const may = await drive.rights(path)
      if (!may.share) fail('forbidden', { right: 'share' })
      const { password, ...terms } = readShareInput(input, DEFAULT_TERMS, { now, folder })
      refuseBeyondToken(viewer, may, terms.rights)
      const place = await drive.place(path, 'follow')
      if (!place.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
      const passwordHash = typeof password === 'string' ? await passwords.hash(password, queueEntryOf(viewer, from)) : null
      const share = {
        ...terms,
        userId,
        place,
        identity: await objectAt(systemDrive, place, { make: true }),
        folder,
        passwordHash,
        passwordVersion: 1,
        ticketKey: newSecret(),
      }
      for (;;) {
        const hash = newHash()
        if (!(await store.create({ ...share, hash, createdAt: now }))) continue
        const made = await toOne({
          ...share,
          hash,
          version: 1,
          trashed: '',
          recipient: '',
          role: '',
          downloads: 0,
          received: { files: 0, bytes: 0 },
        })
        note('share-created', viewer, made, from)
        return made
      }
    },

    /**
     * Absent fields are kept. While its node is in the trash, a link is `not-found`. Fails with `invalid-input`, and with `already-exists` for a slug that is taken; otherwise as `remove` does, and with
     * `busy` if others keep changing it.
     */
    async change(viewer: Viewer, hash: string, input: ShareChange, from: ClientInfo = NOWHERE): Promise<WireShare> {
      let hashed: string | null = null
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const share = stillOpen(await own(viewer, hash), clock())
        const { password, ...terms } = readShareInput(input, share, { now: clock(), folder: share.folder })
        refuseBeyondToken(viewer, rightsToNode(viewer.access, share.place), terms.rights)
        if (typeof password === 'string') hashed ??= await passwords.hash(password, queueEntryOf(viewer, from))
        const passwordHash = password === undefined ? share.passwordHash : hashed
        // Somebody else changed it meanwhile: this change is applied to theirs.
        if (!(await store.change(share, { ...terms, passwordHash }, { newPassword: password !== undefined }))) continue
        bus.announce('share.changed', {})
        if (!terms.logVisits) await visits.forget(hash)
        const changed = await toOne((await store.find(hash)) ?? fail('not-found', {}))
        note('share-changed', viewer, changed, from, await toOne(share))
        return changed
      }
      return fail('busy', {})
    },

    async visits(viewer: Viewer, hash: string): Promise<ShareVisit[]> {
      return visits.list((await own(viewer, hash)).hash)
    },

    /** Somebody else's link is `not-found`, unless the caller is an administrator (GHSA-6cqf-cfhv-659g). */
    async remove(viewer: Viewer, hash: string, from: ClientInfo = NOWHERE): Promise<void> {
      const share = await own(viewer, hash)
      await store.remove([hash])
      bus.announce('share.changed', {})
      note('share-removed', viewer, await toOne(share), from)
    },
  }
}

/** To a node by its storage path; what is not below the viewer's folder is somebody else's. */
export function rightsToNode(access: Access, place: FilePath): Permissions {
  const path = pathFrom(inStorage(access, ROOT), place)
  return path === null ? access.may : rightsAt(access, path)
}

/** Hashing passwords of links takes turns with those of other people's links. */
function queueEntryOf({ userId }: Viewer, { address }: ClientInfo): QueueEntry {
  return { priority: 'links', subject: `user ${userId}`, address }
}

/** A share that has ended, or whose node is in the trash, looks just like one that never existed. */
export function stillOpen<S extends Pick<Share, 'trashed' | 'expire'>>(share: S | null, now: Date): S {
  const ended = share === null || share.trashed !== '' || (share.expire !== 0 && share.expire * 1000 <= now.getTime())
  return ended ? fail('not-found', {}) : share
}

/** The real path of an account's folder; null if it has gone. */
export function realScope(systemDrive: Drive, scope: FilePath): Promise<FilePath | null> {
  return nullOn('not-found', systemDrive.place(scope, 'follow'))
}

/**
 * Only fields of the schema are returned, so never a password hash (GHSA-833g-cqhp-h72j). For a node outside the owner's scope only the name is
 * returned.
 */
function asWire(share: Share, scope: FilePath | null, isGone: boolean): WireShare {
  const within = scope && pathFrom(scope, share.place)
  const path = within ?? `/${nameOf(share.place)}`
  return WireShare.parse({
    ...share,
    path: share.folder && path !== ROOT ? `${path}/` : path,
    userID: share.userId,
    hasPassword: share.passwordHash !== null,
    broken: isGone || share.trashed !== '' || within === null,
    inTrash: share.trashed !== '',
  })
}

/** Six random bytes as eight characters, as in the predecessor's links. */
export function newHash(): string {
  return randomBytes(6).toString('base64url')
}

/** Terms of a link for the audit trail, if they are not the defaults; like its hash, a slug that opens it is not recorded. */
function auditDetails(share: WireShare): object {
  const { rights, starts, maxDownloads, logVisits, title, drop } = share
  return {
    expire: endOf(share),
    protected: share.hasPassword,
    ...(rights !== 'download' && { rights }),
    ...(starts !== 0 && { starts: new Date(starts * 1000).toISOString() }),
    ...(maxDownloads !== 0 && { maxDownloads }),
    ...(!logVisits && { logVisits }),
    ...(title !== '' && { title }),
    ...(rights === 'drop' && { drop }),
  }
}

/** A link may end later than dates can express. */
function endOf({ expire }: WireShare): string {
  const end = new Date(expire * 1000)
  if (expire === 0) return 'permanent'
  return Number.isNaN(end.getTime()) ? `${expire} s` : end.toISOString()
}
