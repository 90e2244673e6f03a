import { detailsOf, rulesText } from '../../shared/audit-details.ts'
import type { Group, GroupChange, Subject } from '../../shared/contract/groups.ts'
import { FILE_RIGHTS, type FileRight, type Grant, roleOf } from '../../shared/contract/rights.ts'
import type { Permissions } from '../../shared/contract/users.ts'
import type { AuditKind } from '../../shared/contract/audit.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { checkRule } from '../../shared/rules.ts'
import type { Caller } from '../access/caller.ts'
import { NO_RIGHTS, parsePermissions, RIGHTS } from '../access/permissions.ts'
import type { Bus } from '../bus/bus.ts'
import { ruleIssues } from '../settings/check.ts'
import type { Granted } from '../users/access-of.ts'
import type { Account } from '../users/account.ts'
import { usernameProblem } from '../users/username.ts'
import type { Users } from '../users/users.ts'
import type { GrantStore } from './grant-store.ts'
import type { GroupFields, GroupStore, StoredGroup } from './store.ts'

export type Groups = ReturnType<typeof createGroups>

export interface GroupsOptions {
  readonly store: GroupStore
  readonly grants: GrantStore
  readonly users: Pick<Users, 'find'>
  readonly bus: Bus
  readonly clock: () => Date
  /** Fails with `proof-needed` unless the caller has proven their identity recently, or does so now. */
  readonly requireProof: (caller: Caller) => Promise<void>
}

/** Groups, memberships and grants, for administrators. Every change needs a proof of identity and is in the activity log. */
export function createGroups({ store, grants, users, bus, clock, requireProof }: GroupsOptions) {
  function note(kind: AuditKind, { viewer, address }: Caller, subject: string, [before, after]: readonly [object, object]): void {
    bus.announce('noted', {
      kind,
      by: { id: viewer.userId, name: viewer.username },
      address,
      subject,
      details: detailsOf(before, after),
    })
  }

  /** Everybody's access may have changed. */
  const changed = (): void => bus.announce('group.changed', { userId: null })
  const found = async (id: number): Promise<StoredGroup> => (await store.find(id)) ?? fail('not-found', {})
  const counted = async (id: number): Promise<Group> => (await store.all()).find((group) => group.id === id) ?? fail('not-found', {})

  async function nameOf({ kind, id }: Subject): Promise<string> {
    if (kind === 'everybody') return ''
    if (kind === 'group') return (await found(id)).name
    return ((await users.find(id)) ?? fail('not-found', {})).username
  }

  return {
    all: () => store.all(),
    members: async (id: number, page: { text: string; after: string | null; most: number }) => {
      await found(id)
      return store.members(id, page)
    },
    ofUser: (userId: number) => store.ofUser(userId),
    grantsOf: async (subject: Subject): Promise<Grant[]> => (await grants.of([subject]))[0] ?? [],

    /** By id if it is a number, otherwise by name; null if there is none. */
    named: (who: string): Promise<StoredGroup | null> => (/^\d+$/.test(who) ? store.find(Number(who)) : store.findByName(who)),

    /** What an account has by its groups and by grants. */
    async grantedTo(userId: number): Promise<Granted> {
      const groups = await store.ofUser(userId)
      const subjects: Subject[] = [
        { kind: 'everybody', id: 0 },
        ...groups.map(({ id }): Subject => ({ kind: 'group', id })),
        { kind: 'user', id: userId },
      ]
      return { groups, grants: await grants.of(subjects) }
    },

    /** Fails with `name-taken`, `proof-needed`, `invalid-input`. */
    async create(change: GroupChange & { name: string }, caller: Caller): Promise<Group> {
      const fields = { perm: NO_RIGHTS, rules: [], ...checked(change), name: change.name }
      await requireProof(caller)
      const group = await store.insert(fields, clock())
      if (change.position !== undefined) await store.update(group.id, {}, change)
      changed()
      note('groups-changed', caller, group.name, [{}, { group: 'new', ...shown(fields) }])
      return counted(group.id)
    },

    /** Fails with `not-found`, `name-taken`, `proof-needed`, `invalid-input`. */
    async change(id: number, change: GroupChange, caller: Caller): Promise<Group> {
      const fields = checked(change)
      const before = await found(id)
      await requireProof(caller)
      if (!(await store.update(id, fields, change))) fail('not-found', {})
      changed()
      const after = await counted(id)
      const place = ({ position }: StoredGroup) => (change.position === undefined ? {} : { position })
      note('groups-changed', caller, before.name, [
        { ...shown(before), ...place(before) },
        { ...shown(after), ...place(after) },
      ])
      return after
    },

    /** With its memberships and grants. Fails with `not-found` and `proof-needed`. */
    async remove(id: number, caller: Caller): Promise<void> {
      const before = await found(id)
      await requireProof(caller)
      if (!(await store.remove(id))) fail('not-found', {})
      changed()
      note('groups-changed', caller, before.name, [{ group: 'removed', ...shown(before) }, {}])
    },

    /** Changes nothing for a member. Fails with `not-found` and `proof-needed`. */
    async addMember(id: number, userId: number, caller: Caller): Promise<void> {
      const { name } = await found(id)
      const member = await nameOf({ kind: 'user', id: userId })
      await requireProof(caller)
      if (!(await store.addMember(id, userId))) return
      bus.announce('group.changed', { userId })
      note('groups-changed', caller, name, [{}, { member }])
    },

    /** Changes nothing for somebody who is not a member. Fails with `not-found` and `proof-needed`. */
    async removeMember(id: number, userId: number, caller: Caller): Promise<void> {
      const { name } = await found(id)
      const member = await nameOf({ kind: 'user', id: userId })
      await requireProof(caller)
      if (!(await store.removeMember(id, userId))) return
      bus.announce('group.changed', { userId })
      note('groups-changed', caller, name, [{ member }, {}])
    },

    /**
     * Makes an account a member as a directory says: of these groups, and of no others that the directory made it a member of. What others gave stays.
     * @param source names the directory
     * @param wanted ids of groups; those that do not exist are ignored
     */
    async followDirectory({ id: userId, username }: Pick<Account, 'id' | 'username'>, source: string, wanted: ReadonlySet<number>) {
      const mine = await store.ofUser(userId)
      const tell = (group: string, [before, after]: readonly [object, object]): void => {
        bus.announce('group.changed', { userId })
        bus.announce('noted', { kind: 'groups-changed', by: null, address: null, subject: group, details: detailsOf(before, after) })
      }
      for (const { id, name, membership } of mine)
        if (membership === source && !wanted.has(id) && (await store.removeMember(id, userId, source)))
          tell(name, [{ member: username }, {}])
      for (const id of wanted) {
        const group = mine.some((one) => one.id === id) ? null : await store.find(id)
        if (group !== null && (await store.addMember(id, userId, source))) tell(group.name, [{}, { member: username }])
      }
    },

    /** Ends all memberships that a directory gave, to everybody or one account. */
    async leaveDirectory(source: string, userId: number | null = null): Promise<void> {
      for (const id of await store.removeSource(source, userId)) bus.announce('group.changed', { userId: id })
    },

    /**
     * Adds a grant, or changes the one for the same path; null takes it away. Fails with `not-found`, `proof-needed`, `invalid-input`.
     * @param grant.path from the storage's root
     */
    async grant(
      who: Subject,
      grant: Pick<Grant, 'regex' | 'path'> & { rights: readonly FileRight[] | null },
      caller: Caller,
    ): Promise<void> {
      const { regex, rights } = grant
      const path = checkedGrantPath(grant)
      const name = await nameOf(who)
      const before = (await grants.of([who])).flat().find((one) => one.regex === regex && one.path === path)
      await requireProof(caller)
      if (rights === null) await grants.remove(who, { regex, path })
      else await grants.put(who, { regex, path, rights: FILE_RIGHTS.filter((right) => rights.includes(right)) })
      bus.announce('group.changed', { userId: who.kind === 'user' ? who.id : null })
      const text = (given: readonly FileRight[] | null | undefined) => (given ? { rights: roleOf(given) ?? given.join(' ') } : {})
      note('access-changed', caller, regex ? `expression ${path}` : path, [
        { ...text(before?.rights), ...(before && { [who.kind]: name }) },
        { ...text(rights), ...(rights && { [who.kind]: name }) },
      ])
    },

    /** Grants on a storage path and on what is above it, with names. */
    async at(path: FilePath) {
      const stored = await grants.at(path.normalize('NFC') as FilePath)
      const named = await Promise.all(
        stored.map(async ({ subject, ...grant }) => ({ ...grant, who: { ...subject, name: await nameOf(subject).catch(() => null) } })),
      )
      return named.flatMap(({ who, ...grant }) => (who.name === null ? [] : [{ ...grant, who: { ...who, name: who.name } }]))
    },
  }
}

/** Fails with `invalid-input`. */
function checked({ name, perm, rules }: GroupChange): Partial<GroupFields> {
  const problem = name === undefined ? null : usernameProblem(name)
  if (problem !== null) fail('invalid-input', { issues: [`name: ${problem}`] })
  const issues = ruleIssues(rules ?? [], 'rules')
  if (issues.length > 0) fail('invalid-input', { issues })
  return {
    ...(name !== undefined && { name }),
    ...(perm !== undefined && { perm: parsePermissions(perm) }),
    ...(rules !== undefined && { rules }),
  }
}

/** The path or the pattern of a grant as it is stored. Fails with `invalid-input`. */
export function checkedGrantPath({ regex, path }: Pick<Grant, 'regex' | 'path'>): string {
  return regex ? checkedPattern(path) : checkedPath(path)
}

function checkedPattern(pattern: string): string {
  const problem = checkRule({ regex: true, allow: true, path: '', regexp: { raw: pattern } })
  return problem === null ? pattern : fail('invalid-input', { issues: [problem] })
}

function checkedPath(path: string): string {
  const problem = checkRule({ regex: false, allow: true, path, regexp: null })
  if (problem !== null) fail('invalid-input', { issues: [problem] })
  return parseFilePath(path.startsWith('/') ? path : `/${path}`).normalize('NFC')
}

function shown({ perm, rules, name }: { perm: Permissions; rules: StoredGroup['rules']; name: string }) {
  return { name, perm: perm.admin ? 'admin' : RIGHTS.filter((right) => perm[right]).join(' '), rules: rulesText(rules) }
}
