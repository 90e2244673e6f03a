import { type PeopleShare, peopleShares as peopleCalls, type Recipient } from '../../shared/contract/people-shares.ts'
import { type Share, shares as linkCalls } from '../../shared/contract/shares.ts'
import { fail, nullOn } from '../../shared/errors.ts'
import { parentOf, parseFilePath } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DavDeps } from '../dav/routes.ts'
import { expectCallable } from '../http/mount.ts'
import type { Context } from '../http/router.ts'
import type { PeopleShares } from '../shares/people.ts'
import type { Shares } from '../shares/shares.ts'
import type { OcsAnswer } from './ocs.ts'
import { type DescribeDeps, describeShare, type Given, numberOf } from './ocs-share.ts'
import { linkChange, linkRights, peopleChange, type ShareForm, shareRole, TYPES } from './ocs-share-terms.ts'

export interface OcsSharesDeps extends Pick<DavDeps, 'clock'>, DescribeDeps {
  readonly shares: Shares
  readonly peopleShares: PeopleShares
}

export interface OcsSharesRequest {
  readonly viewer: Viewer
  /** Below `/apps/files_sharing/api/v1`. */
  readonly path: string
  /** Parameters of the address and of the body. */
  readonly form: ShareForm
}

const FOUND: OcsAnswer = { status: 200 }

/** Links and shares with people as clients manage them: the caller's own, by the same rights as the calls of the contract. */
export async function ocsShares(deps: OcsSharesDeps, c: Context, { viewer, path, form }: OcsSharesRequest): Promise<OcsAnswer> {
  const { method } = c.request
  if (path === '/sharees' && method === 'GET') return { ...FOUND, data: await recipients(deps, viewer, form.get('search') ?? '') }
  const [, number] = /^\/shares(?:\/(\d{1,10}))?$/.exec(path) ?? []
  const tell = async (given: Given): Promise<OcsAnswer> => ({ ...FOUND, data: await describeShare(deps, c, viewer, given) })
  if (path === '/shares' && method === 'GET') {
    // What others share with this person is not in this tree.
    const found = form.get('shared_with_me') === 'true' ? [] : await listed(deps, viewer, form)
    return { ...FOUND, data: await Promise.all(found.map((given) => describeShare(deps, c, viewer, given))) }
  }
  if (path === '/shares' && method === 'POST') return tell(await made(deps, c, viewer, form))
  if (number === undefined) return { status: 404, message: 'Not found' }
  if (method === 'GET') return { ...FOUND, data: [await describeShare(deps, c, viewer, await ownShare(deps, viewer, Number(number)))] }
  if (method === 'PUT') return tell(await changed(deps, c, viewer, { number: Number(number), form }))
  if (method === 'DELETE') {
    await remove(deps, c, viewer, Number(number))
    return FOUND
  }
  return { status: 405, message: 'Method not allowed' }
}

/** The caller's own, also an administrator's. */
async function mine({ shares, peopleShares }: OcsSharesDeps, viewer: Viewer): Promise<Given[]> {
  expectCallable(linkCalls.mine, viewer)
  const [links, people] = await Promise.all([shares.mine(viewer), peopleShares.mine(viewer)])
  return asGiven(viewer, links, people).filter(({ share }) => !share.broken)
}

function asGiven({ userId }: Viewer, links: readonly Share[], people: readonly PeopleShare[]): Given[] {
  return [
    ...links.filter(({ userID }) => userID === userId).map((share) => ({ kind: 'link' as const, share })),
    ...people.filter(({ owner }) => owner.id === userId).map((share) => ({ kind: 'people' as const, share })),
  ]
}

async function listed(deps: OcsSharesDeps, viewer: Viewer, form: ShareForm): Promise<Given[]> {
  const asked = form.get('path')
  if (asked === null || asked === '') return mine(deps, viewer)
  const path = parseFilePath(asked)
  if (form.get('subfiles') === 'true') {
    const all = await mine(deps, viewer)
    return all.filter(({ share }) => parentOf(parseFilePath(share.path)) === path)
  }
  expectCallable(linkCalls.ofPath, viewer)
  return asGiven(viewer, await deps.shares.ofPath(viewer, path), await deps.peopleShares.ofPath(viewer, path))
}

/** By its number, which is made from its id: clients on phones keep 32 bits. Two with the same number are none. */
async function ownShare(deps: OcsSharesDeps, viewer: Viewer, number: number): Promise<Given> {
  const [found, ...others] = (await mine(deps, viewer)).filter((given) => numberOf(given) === number)
  return found === undefined || others.length > 0 ? fail('not-found', {}) : found
}

async function made(deps: OcsSharesDeps, c: Context, viewer: Viewer, form: ShareForm): Promise<Given> {
  const { shares, peopleShares, driveFor, clock } = deps
  const from = { address: c.bindings.peer }
  const path = parseFilePath(form.get('path') ?? '')
  const type = Number(form.get('shareType') ?? -1)
  expectCallable(type === TYPES.link ? linkCalls.create : peopleCalls.create, viewer)
  const folder = (await driveFor(viewer.access).stat(path)).stat.kind === 'folder'
  if (type === TYPES.link) {
    const rights = linkRights(form, { folder }) ?? 'download'
    const { password, ...terms } = linkChange(form, { now: clock() })
    const input = { ...terms, rights, ...(password !== undefined && password !== '' && { password }) }
    return { kind: 'link', share: await shares.create(viewer, path, input, from) }
  }
  const kind =
    type === TYPES.user ? 'user' : type === TYPES.group ? 'group' : fail('invalid-input', { issues: ['shareType: not supported'] })
  const who = await recipientNamed(deps, viewer, { kind, name: form.get('shareWith') ?? '' })
  const terms = peopleChange(form)
  const role = shareRole(form, { folder }) ?? 'viewer'
  return { kind: 'people', share: await peopleShares.create(viewer, path, { ...terms, who, role }, from) }
}

/** Who is meant, by the same search as in the web, so that it tells nothing more about who has an account. */
async function recipientNamed(
  { peopleShares }: OcsSharesDeps,
  viewer: Viewer,
  { kind, name }: { kind: Recipient['kind']; name: string },
): Promise<Recipient> {
  expectCallable(peopleCalls.find, viewer)
  const same = (text: string): string => text.normalize().toLowerCase()
  const found = name === '' ? [] : await peopleShares.find(viewer, name)
  const match = found.find((who) => who.kind === kind && same(who.name) === same(name))
  return match === undefined ? fail('invalid-input', { issues: ['shareWith: unknown'] }) : { kind: match.kind, id: match.id }
}

async function changed(
  deps: OcsSharesDeps,
  c: Context,
  viewer: Viewer,
  { number, form }: { number: number; form: ShareForm },
): Promise<Given> {
  const given = await ownShare(deps, viewer, number)
  const from = { address: c.bindings.peer }
  const folder = given.share.path.endsWith('/')
  if (given.kind === 'link') {
    expectCallable(linkCalls.change, viewer)
    const rights = linkRights(form, { folder })
    const change = { ...linkChange(form, { now: deps.clock() }), ...(rights !== null && { rights }) }
    return Object.keys(change).length === 0
      ? given
      : { kind: 'link', share: await deps.shares.change(viewer, given.share.hash, change, from) }
  }
  expectCallable(peopleCalls.change, viewer)
  const role = shareRole(form, { folder })
  const change = { ...peopleChange(form), ...(role !== null && role !== given.share.role && { role }) }
  if (Object.keys(change).length === 0) return given
  return { kind: 'people', share: await deps.peopleShares.change(viewer, given.share.id, change, from) }
}

async function remove(deps: OcsSharesDeps, c: Context, viewer: Viewer, number: number): Promise<void> {
  const given = await ownShare(deps, viewer, number)
  const from = { address: c.bindings.peer }
  if (given.kind === 'link') {
    expectCallable(linkCalls.remove, viewer)
    await deps.shares.remove(viewer, given.share.hash, from)
  } else {
    // The call itself needs no right, because recipients may leave; here it is the owner's share, and a token needs the right to share.
    expectCallable(peopleCalls.change, viewer)
    await deps.peopleShares.remove(viewer, given.share.id, from)
  }
}

/** What a client offers while somebody types a name. */
async function recipients({ peopleShares }: OcsSharesDeps, viewer: Viewer, text: string): Promise<object> {
  expectCallable(peopleCalls.find, viewer)
  const search = text.trim()
  const found = search === '' ? [] : ((await nullOn('invalid-input', peopleShares.find(viewer, search.slice(0, 100)))) ?? [])
  const all = found.map(({ kind, name }) => ({ kind, label: name, value: { shareType: TYPES[kind], shareWith: name } }))
  const of = (kind: Recipient['kind'], isExact: boolean): object[] =>
    all
      .filter((who) => who.kind === kind && (who.label.toLowerCase() === search.toLowerCase()) === isExact)
      .map(({ label, value }) => ({ label, value }))
  const others = { remotes: [], remote_groups: [], emails: [], circles: [], rooms: [], lookup: [] }
  return {
    exact: { users: of('user', true), groups: of('group', true), ...others },
    users: of('user', false),
    groups: of('group', false),
    ...others,
    lookupEnabled: false,
  }
}
