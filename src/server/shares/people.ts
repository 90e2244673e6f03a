import { detailsOf } from '../../shared/audit-details.ts'
import type { AuditKind } from '../../shared/contract/audit.ts'
import {
  MOST_RECIPIENTS_FOUND,
  type NamedRecipient,
  PeopleShare,
  type PeopleShareChange,
  type PeopleShareInput,
  type Recipient,
  type ReceivedShare,
} from '../../shared/contract/people-shares.ts'
import { ROLES } from '../../shared/contract/rights.ts'
import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, nameOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Access } from '../access/access.ts'
import { cutAccess } from '../access/cut.ts'
import { accessOfRecipient } from '../access/through-share.ts'
import { clientKeyOf, performerOf, type Viewer } from '../access/viewer.ts'
import { newSecret } from '../db/secret.ts'
import { cleanScope } from '../../shared/scope.ts'
import { subjectKey, subjectFrom } from '../../shared/subject-key.ts'
import { usernameKey } from '../users/username.ts'
import { brokenAmong } from './broken-links.ts'
import { createOwnerGrant, once, type OwnerGrant, type OwnerGrantDeps } from './owner-grant.ts'
import type { PeopleStore, StoredPeopleShare } from './people-store.ts'
import { DEFAULT_TERMS } from './read-share-input.ts'
import { type ClientInfo, newHash, realScope, rightsToNode, type SharesDeps, stillOpen } from './shares.ts'
import { objectAt } from './shared-object.ts'

/** Shares with people and groups. */
export type PeopleShares = ReturnType<typeof createPeopleShares>

export interface PeopleSharesDeps extends OwnerGrantDeps, Pick<SharesDeps, 'driveFor' | 'clock' | 'bus'> {
  readonly store: PeopleStore
  /** Counts a search for accounts; fails with `too-many-requests`. */
  readonly countSearch: (client: string) => void
  /** Counts a new share; fails with `too-many-requests`. */
  readonly countShare: (client: string) => void
  /** Tells people by mail that somebody has shared something with them. Never fails. */
  readonly tell: (userIds: readonly number[], by: Viewer) => void
}

const AT_ONCE = 16
/** Of a group: a larger one gets no mail. */
const MOST_TOLD = 100
/** Of one owner: each is looked at when its recipients list what is shared with them. */
const MOST_SHARES = 10_000

export function createPeopleShares(deps: PeopleSharesDeps) {
  const { store, users, grantedTo, driveFor, systemDrive, clock, bus, countSearch, countShare, tell } = deps
  const grantOf = createOwnerGrant(deps)

  function note(kind: AuditKind, viewer: Viewer, share: PeopleShare, from: ClientInfo, before: PeopleShare | null = null): void {
    const details = detailsOf(before === null ? {} : auditDetails(before), auditDetails(share))
    bus.announce('noted', { kind, by: performerOf(viewer), address: from.address, subject: share.path, details })
  }

  async function toWire(list: readonly StoredPeopleShare[]): Promise<PeopleShare[]> {
    const names = await store.names()
    const broken = await brokenAmong(
      list.filter(({ trashed }) => trashed === ''),
      systemDrive,
    )
    const owners = new Map<number, Promise<{ name: string; scope: FilePath | null } | null>>()
    const ownerOf = (id: number) => {
      const known = owners.get(id) ?? users.find(id).then((owner) => owner && described(owner))
      owners.set(id, known)
      return known
    }
    const described = async (owner: { username: string; scope: string }) => ({
      name: owner.username,
      scope: await realScope(systemDrive, cleanScope(owner.scope)),
    })
    const shown = await Promise.all(
      list.map(async (share) => {
        const owner = await ownerOf(share.userId)
        const name = names.get(share.recipient)
        if (owner === null || name === undefined) return []
        const { kind, id } = recipientOf(share)
        return [asWire(share, { who: { kind, id, name }, owner, isGone: broken.has(share) })]
      }),
    )
    return shown.flat()
  }

  const toOne = async (share: StoredPeopleShare): Promise<PeopleShare> => (await toWire([share]))[0] ?? fail('not-found', {})

  const own = async ({ userId, access }: Viewer, id: string): Promise<StoredPeopleShare> => {
    const share = await store.find(id)
    return share !== null && (share.userId === userId || access.may.admin) ? share : fail('not-found', {})
  }

  /** Every name by which something can be shared with an account. */
  const keysOf = async (userId: number): Promise<string[]> => [
    subjectKey({ kind: 'user', id: userId }),
    ...(await grantedTo(userId)).groups.map(({ id }) => subjectKey({ kind: 'group', id })),
  ]

  async function requireRecipient({ kind, id }: Recipient, { userId, access }: Viewer): Promise<void> {
    if (kind === 'user') {
      const account = await users.find(id)
      if (account === null || account.disabled || id === userId) fail('invalid-input', { issues: ['who: unknown'] })
      return
    }
    const isKnown = access.may.admin || (await grantedTo(userId)).groups.some((group) => group.id === id)
    if (!isKnown) fail('invalid-input', { issues: ['who: unknown'] })
  }

  const realScopeOf = (scope: FilePath): Promise<FilePath | null> => realScope(systemDrive, scope)

  /** Fails with `not-found` for a share that gives this account nothing now. @param looking remembers what many shares have in common */
  async function grantTo(
    share: StoredPeopleShare,
    viewer: Viewer,
    { of, scopeOf }: { of: typeof grantOf.of; scopeOf: (scope: FilePath) => Promise<FilePath | null> } = {
      of: grantOf.of,
      scopeOf: realScopeOf,
    },
  ): Promise<OwnerGrant & { through: Access }> {
    const grant = await of(share)
    await grantOf.objectOf(share)
    const { access: mine, token } = viewer
    const { folder, role } = share
    const scope = await scopeOf(mine.scope)
    const node = { path: grant.start, folder, role, scope: grant.scope }
    const access = accessOfRecipient(grant.access, node, { rules: mine.rules, scope })
    const cut = token === undefined ? access : cutAccess(access, { rights: { ...token.perm, admin: false, execute: false } })
    const through = { ...cut, given: { by: 'people', share: share.hash, owner: grant.owner.id } } as const
    if (!driveFor(through).canSee(folder ? ROOT : (`/${nameOf(grant.start)}` as FilePath))) return fail('not-found', {})
    return { ...grant, through }
  }

  return {
    async mine({ userId, access }: Viewer): Promise<PeopleShare[]> {
      return toWire(await store.list({ now: clock(), ...(!access.may.admin && { userId }) }))
    },

    /** Of all owners, for a node and the folders around it, if they lead somewhere. @param place of the storage, links resolved */
    async around(place: FilePath): Promise<(PeopleShare & { readonly place: FilePath })[]> {
      const found = await store.around(place, clock())
      const places = new Map(found.map((share) => [share.hash, share.place]))
      return (await toWire(found)).flatMap((share) => {
        const at = places.get(share.id)
        return share.broken || at === undefined ? [] : [{ ...share, place: at }]
      })
    },

    /** Fails with `not-found`. */
    async ofPath({ userId, access }: Viewer, path: FilePath): Promise<PeopleShare[]> {
      const place = await driveFor(access).place(path, 'follow')
      const found = await toWire(await store.list({ place, now: clock(), ...(!access.may.admin && { userId }) }))
      return found.filter(({ broken }) => !broken)
    },

    /** Fails with `forbidden`, `not-found` for what is neither file nor folder, and `invalid-input`, also for a recipient who is not there. */
    async create(viewer: Viewer, path: FilePath, { who, ...given }: PeopleShareInput, from: ClientInfo): Promise<PeopleShare> {
      const { userId, access, token } = viewer
      const drive = driveFor(access)
      if (!drive.may('share', path)) fail('forbidden', { right: 'share' })
      const { stat, target } = await drive.stat(path)
      const folder = stat.kind === 'folder'
      if ((!folder && stat.kind !== 'file') || (target !== null && target !== 'inside')) fail('not-found', { path })
      const may = await drive.rights(path)
      if (!may.share) fail('forbidden', { right: 'share' })
      if (token !== undefined) for (const right of ROLES[given.role]) if (!may[right]) fail('forbidden', { right })
      const terms = checkedTerms(given, clock())
      // The answer names the recipient: ids must not be tried one after another.
      countShare(clientKeyOf(viewer))
      await requireRecipient(who, viewer)
      const place = await drive.place(path, 'follow')
      if (!place.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
      const recipient = subjectKey(who)
      const identity = await objectAt(systemDrive, place, { make: true })
      const before = await store.same({ userId, place, recipient })
      if (before !== null) {
        await store.change(before.hash, { expire: 0, message: '', role: given.role, ...terms, identity })
        bus.announce('share.changed', { recipient })
        const changed = await toOne((await store.find(before.hash)) ?? fail('not-found', {}))
        note('people-share-changed', viewer, changed, from, await toOne(before))
        return changed
      }
      if ((await store.list({ userId, now: clock() })).length >= MOST_SHARES)
        fail('invalid-input', { issues: [`no more than ${MOST_SHARES} shares`] })
      const { role, expire = 0, message = '' } = { ...given, ...terms }
      const share = { ...DEFAULT_TERMS, expire, message, userId, place, identity, folder, passwordHash: null, passwordVersion: 1 }
      for (;;) {
        const hash = newHash()
        if (!(await store.create({ ...share, hash, ticketKey: newSecret(), createdAt: clock() }, { recipient, role }))) continue
        bus.announce('share.changed', { recipient })
        const made = await toOne((await store.find(hash)) ?? fail('not-found', {}))
        note('people-share-created', viewer, made, from)
        tell(
          (await store.peopleOf(who, { most: MOST_TOLD })).filter((id) => id !== userId),
          viewer,
        )
        return made
      }
    },

    /** Somebody else's share is `not-found`, unless the caller is an administrator. Fails with `invalid-input`. */
    async change(viewer: Viewer, id: string, change: PeopleShareChange, from: ClientInfo): Promise<PeopleShare> {
      const before = await own(viewer, id)
      stillOpen(before, clock())
      const terms = checkedTerms(change, clock())
      if (viewer.token !== undefined) {
        // As for links: a token lends no more, and no longer, than it may itself.
        if (change.role !== undefined) fail('forbidden', { right: 'token' })
        const may = change.expire === undefined ? null : rightsToNode(viewer.access, before.place)
        for (const right of ROLES[before.role]) if (may?.[right] === false) fail('forbidden', { right })
      }
      if (!(await store.change(id, terms))) fail('not-found', {})
      bus.announce('share.changed', { recipient: before.recipient })
      const changed = await toOne((await store.find(id)) ?? fail('not-found', {}))
      note('people-share-changed', viewer, changed, from, await toOne(before))
      return changed
    },

    /** By its owner, an administrator, or the person it was shared with. */
    async remove(viewer: Viewer, id: string, from: ClientInfo): Promise<void> {
      const share = await store.find(id)
      const isMine = share?.recipient === subjectKey({ kind: 'user', id: viewer.userId })
      const removed = share !== null && isMine ? share : await own(viewer, id)
      const shown = await nullOn('not-found', toOne(removed))
      await store.remove(id)
      bus.announce('share.changed', { recipient: removed.recipient })
      if (shown !== null) note('people-share-removed', viewer, shown, from)
    },

    /** What the caller can open now. */
    async received(viewer: Viewer): Promise<ReceivedShare[]> {
      const all = await store.received(await keysOf(viewer.userId), { userId: viewer.userId, now: clock() })
      const names = await store.names()
      const shown: (ReceivedShare | null)[] = all.map(() => null)
      const looking = { of: grantOf.forMany(), scopeOf: once(realScopeOf) }
      const left = all.entries()
      async function look(): Promise<void> {
        for (const [at, share] of left) {
          const grant = await nullOn('not-found', grantTo(share, viewer, looking))
          if (grant === null) continue
          const { kind } = recipientOf(share)
          shown[at] = {
            id: share.hash,
            name: grant.start === ROOT ? '' : nameOf(grant.start),
            folder: share.folder,
            owner: grant.owner.username,
            group: kind === 'group' ? (names.get(share.recipient) ?? '') : '',
            role: share.role,
            expire: share.expire,
            message: share.message,
            created: share.createdAt,
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, look))
      return shown.filter((one) => one !== null)
    },

    /** Who can be shared with, by name. Fails with `too-many-requests`. */
    async find(viewer: Viewer, text: string): Promise<NamedRecipient[]> {
      countSearch(clientKeyOf(viewer))
      const { userId, access } = viewer
      const groupsOf = access.may.admin ? {} : { groupsOf: userId }
      return store.search(text.trim(), {
        but: userId,
        ...groupsOf,
        whole: usernameKey(text.trim()).length < 2,
        most: MOST_RECIPIENTS_FOUND,
      })
    },

    /** The access of a recipient to what is shared; null if they have none now, whatever the reason. */
    async open(viewer: Viewer, id: string): Promise<Access | null> {
      // Paths of a token for one folder begin there; nothing outside of it is its business.
      if (viewer.token !== undefined && viewer.token.folder !== ROOT) return null
      const share = await store.find(id)
      if (share === null || share.userId === viewer.userId || !(await keysOf(viewer.userId)).includes(share.recipient)) return null
      try {
        stillOpen(share, clock())
        return (await grantTo(share, viewer)).through
      } catch (error) {
        return isAppError(error, 'not-found') ? null : Promise.reject(error)
      }
    },
  }
}

function recipientOf({ recipient }: StoredPeopleShare): Recipient {
  const { kind, id } = subjectFrom(recipient)
  return { kind: kind === 'group' ? kind : 'user', id }
}

/** Fails with `invalid-input` for an end that has passed. */
function checkedTerms({ role, expire, message }: PeopleShareChange, now: Date) {
  if (expire !== undefined && expire !== 0 && expire * 1000 <= now.getTime()) fail('invalid-input', { issues: ['expire: has passed'] })
  return {
    ...(role !== undefined && { role }),
    ...(expire !== undefined && { expire }),
    ...(message !== undefined && { message: message.trim() }),
  }
}

interface Described {
  readonly who: NamedRecipient
  readonly owner: { readonly name: string; readonly scope: FilePath | null }
  readonly isGone: boolean
}

/** For a node outside the owner's scope only the name is returned. */
function asWire(share: StoredPeopleShare, { who, owner, isGone }: Described): PeopleShare {
  const within = owner.scope && pathFrom(owner.scope, share.place)
  const path = within ?? `/${nameOf(share.place)}`
  return PeopleShare.parse({
    id: share.hash,
    path: share.folder && path !== ROOT ? `${path}/` : path,
    owner: { id: share.userId, name: owner.name },
    who,
    role: share.role,
    expire: share.expire,
    message: share.message,
    created: share.createdAt,
    broken: isGone || share.trashed !== '' || within === null,
  })
}

function auditDetails({ who, role, expire }: PeopleShare): object {
  const end = new Date(expire * 1000)
  return {
    [who.kind]: who.name,
    role,
    expire: expire === 0 ? 'permanent' : Number.isNaN(end.getTime()) ? `${expire} s` : end.toISOString(),
  }
}
