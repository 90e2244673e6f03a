import * as z from 'zod/mini'
import { explain as calls, type Reach, type ReachingLink, type ReachingShare, type RoleEffect } from '../../shared/contract/explain.ts'
import { type FileRight, FileRights } from '../../shared/contract/rights.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, pathFrom } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { createSemaphore } from '../../shared/semaphore.ts'
import { clientKeyOf, type Viewer } from '../access/viewer.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import type { Drive } from '../drive/drive.ts'
import type { GrantedNow } from '../groups/everybody.ts'
import { mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { TreeIndex } from '../index/tree-index.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { PeopleShares } from '../shares/people.ts'
import type { Share } from '../shares/store.ts'
import type { Granted } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { usernameKey } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import { effectOf } from './effect.ts'
import { explainReach } from './explain.ts'
import type { Given } from './given-tally.ts'
import { plannedPeople, type PlannedDeps } from './planned.ts'
import { withRole } from './with-role.ts'

export interface ExplainDeps extends Pick<PlannedDeps, 'groups' | 'people'> {
  readonly users: Pick<Users, 'all' | 'find'>
  readonly settings: SettingsReader
  readonly grantedToEverybody: (path: FilePath | null) => Promise<GrantedNow>
  readonly treeIndex: TreeIndex
  readonly shares: { readonly around: (place: FilePath) => Promise<Share[]>; readonly given: Given }
  readonly peopleShares: Pick<PeopleShares, 'around'>
  readonly driveFor: DriveFor
  readonly systemDrive: Drive
}

const PAGE_LENGTH = 100
const MOST_EXAMPLES = 10
/** Somebody waits for it while they type; what is not counted then is told as “at least”. */
const EFFECT_MS = 2000
const EFFECTS_IN_ALL = 2

export function mountExplain(app: Router, deps: ExplainDeps): void {
  const { users, settings, grantedToEverybody, shares, peopleShares, driveFor, systemDrive, treeIndex } = deps
  const effects = createSemaphore({ slots: EFFECTS_IN_ALL })

  mount(app, calls.reach, async ({ params, query: { text = '', only, after }, viewer }) => {
    const place = await driveFor(viewer.access).place(params.path, 'follow')
    const explained = explainer(await settings.read(), await grantedToEverybody(place))
    const accounts = (await users.all()).map((account) => ({ account, key: usernameKey(account.username) }))
    accounts.sort((a, b) => (a.key < b.key ? -1 : 1))
    const all = new Map<number, Reach>()
    const pause = periodicYield()
    for (const { account } of accounts) {
      all.set(account.id, await explained(account, place))
      await pause()
    }

    const wanted = usernameKey(text.trim())
    const from = after === undefined ? null : usernameKey(after)
    const matching = accounts.flatMap(({ account, key }) => {
      const reach = all.get(account.id)
      const isWanted = reach !== undefined && (only === undefined || reach.sees === (only === 'reaching'))
      return isWanted && key.includes(wanted) && (from === null || key > from) ? [reach] : []
    })
    const people = matching.slice(0, PAGE_LENGTH)
    const byId = new Map(accounts.map(({ account }) => [account.id, account]))
    /** The name of the owner of a link or a share; null if they may not share what it is of, or this node. */
    const ownerOf = async (userId: number, of: FilePath): Promise<string | null> => {
      const owner = byId.get(userId)
      return owner !== undefined && opens(await explained(owner, of)) && opens(all.get(userId)) ? owner.username : null
    }
    return {
      people,
      next: matching.length > people.length ? (people.at(-1)?.username ?? null) : null,
      reaching: [...all.values()].filter(({ sees }) => sees).length,
      links: await linksTo(place, ownerOf),
      shares: await sharesOf(place, ownerOf),
    }
  })

  type OwnerOf = (userId: number, of: FilePath) => Promise<string | null>

  async function linksTo(place: FilePath, ownerOf: OwnerOf): Promise<ReachingLink[]> {
    const links: ReachingLink[] = []
    for (const { hash, title, rights, expire, passwordHash, ...share } of await shares.around(place)) {
      const owner = await ownerOf(share.userId, share.place)
      if (owner !== null)
        links.push({ hash, title, owner, rights, expire, hasPassword: passwordHash !== null, isHere: share.place === place })
    }
    return links
  }

  async function sharesOf(place: FilePath, ownerOf: OwnerOf): Promise<ReachingShare[]> {
    const found: ReachingShare[] = []
    for (const { id, who, role, expire, ...share } of await peopleShares.around(place)) {
      const owner = await ownerOf(share.owner.id, share.place)
      if (owner !== null) found.push({ id, who, owner, role, expire, isHere: share.place === place })
    }
    return found
  }

  mount(app, calls.effect, async ({ params, query, viewer }) => {
    const place = await driveFor(viewer.access).place(params.path, 'follow')
    const now = await settings.read()
    const grantedTo = await grantedToEverybody(place)
    const wanted = { subject: { kind: query.kind, id: Number(query.id) }, rights: rightsIn(query.rights), path: place }
    const [before, after] = [explainer(now, grantedTo), explainer(now, (userId) => withRole(grantedTo(userId), userId, wanted))]
    const changed: RoleEffect[] = []
    const pause = periodicYield()
    for (const account of await users.all()) {
      const [is, willBe] = [await before(account, place), await after(account, place)]
      if (is.rights.join() !== willBe.rights.join())
        changed.push({ id: account.id, username: account.username, before: is.rights, after: willBe.rights })
      await pause()
    }
    changed.sort((a, b) => (usernameKey(a.username) < usernameKey(b.username) ? -1 : 1))
    return { count: changed.length, examples: changed.slice(0, MOST_EXAMPLES) }
  })

  mount(app, calls.change, async ({ body: { change, people, examples }, viewer, request: { signal } }) => {
    const shown = await shownTo(viewer)
    const count = async () => {
      const planned = await plannedPeople(change, deps)
      const from = { index: treeIndex, given: shares.given, placeOf: realScope, shown }
      return effectOf(planned, { ...from, people, examples, limitMs: EFFECT_MS, signal })
    }
    return effects.run(clientKeyOf(viewer), count, { signal })
  })

  const realScope = (named: FilePath): Promise<FilePath | null> => nullOn('not-found', systemDrive.place(named, 'follow'))

  /** An administrator’s path of a place; null where rules of their own hide it. */
  async function shownTo({ access }: Viewer) {
    const scope = await realScope(access.scope)
    return (place: FilePath): FilePath | null => {
      const path = scope === null ? null : pathFrom(scope, place)
      return path !== null && access.rules.allows(path) ? path : null
    }
  }

  function explainer(now: Awaited<ReturnType<SettingsReader['read']>>, grantedTo: (userId: number) => Granted) {
    const scopes = new Map<string, FilePath | null>()
    return async (account: Account, place: FilePath): Promise<Reach> => {
      const named = cleanScope(account.scope)
      if (!scopes.has(named)) scopes.set(named, await realScope(named))
      return explainReach({ account, settings: now, granted: grantedTo(account.id), scope: scopes.get(named) ?? null, place })
    }
  }
}

/** A link shows what its owner sees and may share, and nothing else. */
function opens(reach: Reach | undefined): boolean {
  return reach !== undefined && reach.sees && reach.rights.includes('share')
}

/** Null takes a role away. Fails with `invalid-input` for what is no right. */
function rightsIn(text: string | undefined): FileRight[] | null {
  if (text === undefined) return null
  const parsed = z.safeParse(FileRights, text === '' ? [] : text.split(','))
  return parsed.success ? parsed.data : fail('invalid-input', { issues: ['rights: unknown'] })
}
