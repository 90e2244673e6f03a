import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { access, type Group, type GroupChange, grants, groups, type Subject } from '../../shared/contract/groups.ts'
import type { FileRight } from '../../shared/contract/rights.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { type ReauthenticationFields, withReauthentication } from './reauthenticate.ts'

const client = clientFor({ groups, grants, access })

const FORM = { shows: ['invalid-input', 'name-taken'] } as const

function groupsQuery() {
  return queryOptions({ queryKey: ['groups'] as const, queryFn: ({ signal }) => client.groups.list({}, { signal }) })
}

/** All groups in their order; the screen shows errors. */
export function useGroups() {
  return useQuery(groupsQuery())
}

/** The groups of one person. */
export function useGroupsOf(user: number) {
  return useQuery({
    queryKey: ['groups', 'of', user] as const,
    queryFn: ({ signal }) => client.groups.ofUser({ params: { id: String(user) } }, { signal }),
  })
}

/** Up to a hundred members, by name. @param text part of the name */
export function useMembers(group: number, text: string) {
  return useQuery({
    queryKey: ['members', group, text] as const,
    queryFn: ({ signal }) => client.groups.members({ params: { id: String(group) }, query: text === '' ? {} : { text } }, { signal }),
  })
}

/** Grants of one subject, on whatever folders. */
export function useGrants({ kind, id }: Subject) {
  return useQuery({
    queryKey: ['grants', kind, id] as const,
    queryFn: ({ signal }) => client.grants.list({ query: { kind, id: String(id) } }, { signal }),
  })
}

/** Who has which rights on one folder or file. */
export function useAccess(path: FilePath) {
  return useQuery({ queryKey: ['access', path] as const, queryFn: ({ signal }) => client.access.get({ params: { path } }, { signal }) })
}

const CHANGED = ['grants', 'access', 'folder'] as const

/** A change that may need the password again. It gives null if that was not given; otherwise everything about groups is read again. */
function useChange<Input, Answer>(
  change: (input: Input, proof: ReauthenticationFields) => Promise<Answer>,
  { affected = ['members', ...CHANGED] }: { affected?: readonly string[] } = {},
) {
  const queries = useQueryClient()
  return useMutation({
    meta: FORM,
    mutationFn: (input: Input) => withReauthentication((proof) => change(input, proof)),
    onSuccess: async () => {
      // Rights of folders on show may have changed as well.
      for (const key of affected) void queries.invalidateQueries({ queryKey: [key] })
      // The page of a new group finds it.
      await queries.invalidateQueries({ queryKey: ['groups'] })
    },
  })
}

export function useCreateGroup() {
  return useChange((name: string, proof) => client.groups.create({ body: { name, ...proof } }))
}

export function useChangeGroup() {
  return useChange(({ id, ...body }: GroupChange & { id: number }, proof) =>
    client.groups.change({ params: { id: String(id) }, body: { ...body, ...proof } }),
  )
}

/** It gives true when it is gone. */
export function useRemoveGroup() {
  return useChange(
    async ({ id }: Pick<Group, 'id'>, proof) => {
      await client.groups.remove({ params: { id: String(id) }, body: proof })
      return true
      // Its members are on show until the page has gone, and cannot be read any more.
    },
    { affected: CHANGED },
  )
}

export interface MembershipChange {
  readonly group: number
  readonly user: number
  readonly isMember: boolean
}

export function useSetMember() {
  return useChange(async ({ group, user, isMember }: MembershipChange, proof) => {
    const params = { id: String(group), user: String(user) }
    await (isMember ? client.groups.addMember({ params, body: proof }) : client.groups.removeMember({ params, body: proof }))
    return true
  })
}

export interface GrantChange {
  readonly who: Subject
  readonly regex: boolean
  /** From the root of the served folder. */
  readonly path: string
  /** Null takes it away. */
  readonly rights: FileRight[] | null
}

export function useSetGrant() {
  return useChange(async (change: GrantChange, proof) => {
    await client.grants.set({ body: { ...change, ...proof } })
    return true
  })
}

export function useSetAccess(path: FilePath) {
  return useChange(async ({ who, rights }: { who: Subject; rights: FileRight[] | null }, proof) => {
    await client.access.set({ params: { path }, body: { who, rights, ...proof } })
    return true
  })
}
