import { type AccessEntry, access, grants, groups as calls, type Subject } from '../../shared/contract/groups.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DriveFor } from '../drive/drive-for.ts'
import { type Call, mount } from '../http/mount.ts'
import type { Router } from '../http/router.ts'
import type { Groups } from './groups.ts'

export interface GroupRoutesDeps {
  readonly groups: Groups
  readonly driveFor: DriveFor
}

const MEMBERS_AT_ONCE = 100

export function mountGroups(app: Router, { groups, driveFor }: GroupRoutesDeps): void {
  mount(app, calls.list, async () => groups.all())
  mount(app, calls.create, async ({ body, ...call }) => groups.create(body, callerOf({ ...call, body })))
  mount(app, calls.change, async ({ body, ...call }) => groups.change(readId(call.params.id), body, callerOf({ ...call, body })))
  mount(app, calls.remove, async (call) => nothing(groups.remove(readId(call.params.id), callerOf(call))))
  mount(app, calls.members, async ({ params, query }) => {
    const page = { text: query.text ?? '', after: query.after ?? null, most: MEMBERS_AT_ONCE + 1 }
    const found = await groups.members(readId(params.id), page)
    const members = found.slice(0, MEMBERS_AT_ONCE)
    return { members, next: found.length > members.length ? (members.at(-1)?.username ?? null) : null }
  })
  mount(app, calls.addMember, async (call) => nothing(groups.addMember(readId(call.params.id), readId(call.params.user), callerOf(call))))
  mount(app, calls.removeMember, async (call) =>
    nothing(groups.removeMember(readId(call.params.id), readId(call.params.user), callerOf(call))),
  )
  mount(app, calls.ofUser, async ({ params }) => {
    const found = await groups.ofUser(readId(params.id))
    return found.map(({ id, name, membership }) => ({ id, name, source: membership }))
  })

  mount(app, grants.list, async ({ query }) => groups.grantsOf({ kind: query.kind, id: Number(query.id) }))
  mount(app, grants.set, async ({ body, ...call }) => {
    const { who, regex, path, rights } = body
    return nothing(groups.grant(checkedSubject(who), { regex, path, rights }, callerOf({ ...call, body })))
  })

  /** The storage path of what an administrator sees at a path; fails with `not-found`. */
  const placeOf = (viewer: Viewer, path: FilePath): Promise<FilePath> => driveFor(viewer.access).place(path, 'follow')

  mount(app, access.get, async ({ params, viewer }) => {
    const place = await placeOf(viewer, params.path)
    const root = await placeOf(viewer, ROOT)
    const positions = new Map((await groups.all()).map(({ id, position }) => [id, position]))
    const entries = (await groups.at(place)).map(({ who, rights, path }): AccessEntry => ({
      who,
      rights,
      from: pathFrom(root, path as FilePath),
    }))
    const rank = ({ who }: AccessEntry): number => (who.kind === 'group' ? (positions.get(who.id) ?? 0) : 0)
    entries.sort(
      (a, b) =>
        KINDS.indexOf(a.who.kind) - KINDS.indexOf(b.who.kind) ||
        rank(a) - rank(b) ||
        a.who.name.localeCompare(b.who.name) ||
        (b.from?.length ?? 0) - (a.from?.length ?? 0),
    )
    return { entries }
  })
  mount(app, access.set, async ({ params, body, ...call }) => {
    const path = await placeOf(call.viewer, params.path)
    if (!path.isWellFormed()) fail('invalid-input', { issues: ['path: not UTF-8'] })
    return nothing(groups.grant(checkedSubject(body.who), { regex: false, path, rights: body.rights }, callerOf({ ...call, body })))
  })
}

async function nothing(work: Promise<void>): Promise<undefined> {
  await work
  return undefined
}

const KINDS: readonly Subject['kind'][] = ['everybody', 'group', 'user']

function callerOf({ viewer, peer, body }: Pick<Call<typeof calls.remove>, 'viewer' | 'peer' | 'body'>) {
  return { viewer, address: peer, password: body.current_password }
}

function checkedSubject({ kind, id }: Subject): Subject {
  return kind === 'everybody' ? { kind, id: 0 } : { kind, id: readId(String(id)) }
}

/** The largest id that a database column holds. */
const MOST_ID = 2 ** 31 - 1

function readId(text: string): number {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST_ID ? Number(text) : fail('not-found', {})
}
