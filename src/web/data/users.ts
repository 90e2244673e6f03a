import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type User, users } from '../../shared/contract/users.ts'
import { changedPlaces, clashesOf, mergeChanges } from '../../shared/changes.ts'
import { clientFor } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'
import { signOut, useSession } from './session.ts'

const client = clientFor({ users })

const FORM = { shows: ['invalid-input', 'name-taken'] } as const

export function usersQuery() {
  return queryOptions({
    queryKey: ['users'] as const,
    queryFn: ({ signal }) => client.users.list({}, { signal }),
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: ['users', id] as const,
    queryFn: ({ signal }) => client.users.get({ params: { id } }, { signal }),
    // Never keep a deleted user's record.
    gcTime: 0,
  })
}

/** All users by id; the screen shows errors. */
export function useUsers() {
  return useQuery(usersQuery())
}

/** User names by id, for administrators only. */
export function useUserNames({ enabled }: { enabled: boolean }): ReadonlyMap<number, string> {
  const { data = [] } = useQuery({ ...usersQuery(), enabled })
  return new Map(data.map(({ id, username }) => [id, username]))
}

/** One user's record. Errors go to the error boundary. */
export function useUserRecord(id: string): User {
  return useSuspenseQuery(userQuery(id)).data
}

/** @returns the address of the new record; null if reauthentication was cancelled */
export function useCreateUser() {
  const queries = useQueryClient()
  return useMutation({
    meta: FORM,
    mutationFn: ({ data, withoutPassword = false }: { data: Omit<User, 'id'>; withoutPassword?: boolean }) =>
      withReauthentication(async (proof) => {
        const without = withoutPassword ? { without_password: true } : {}
        const response = await client.users.create({ body: { what: 'user', which: [], data, ...without, ...proof } })
        return response.headers.get('location') ?? '/settings/users'
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
}

export interface UserEdit {
  /** As it was when editing started; its password is empty, and an empty one in `mine` keeps the old one. */
  readonly base: User
  readonly mine: User
  /** Asks whether to overwrite fields that someone else has changed meanwhile. */
  readonly mayReplace: (places: readonly string[]) => Promise<boolean>
}

/** Saves the changed fields only. @returns the saved record; null if the user cancelled */
async function saveUser(queries: QueryClient, { base, mine, mayReplace }: UserEdit): Promise<User | null> {
  const params = { id: String(base.id) }
  const theirs = await client.users.get({ params })
  const clashes = clashesOf(base, mine, theirs)
  if (clashes.length > 0 && !(await mayReplace(clashes))) return null
  const data = mergeChanges(base, mine, theirs)
  const which = [...new Set(changedPlaces(theirs, data).map((place) => place.replace(/\..*/s, '')))]
  const saved =
    which.length === 0 ||
    (await withReauthentication((proof) => client.users.update({ params, body: { what: 'user', which, data, ...proof } })))
  if (saved === null) return null
  const user = await client.users.get({ params })
  queries.setQueryData(userQuery(params.id).queryKey, user)
  return user
}

/** Saving one's own record also updates the session. */
export function useSaveUser({ onSaved }: { onSaved: (user: User) => void }) {
  const queries = useQueryClient()
  return useMutation({
    meta: FORM,
    mutationFn: (edit: UserEdit) => saveUser(queries, edit),
    onSuccess: (user) => {
      if (user === null) return
      // First, because with the session the page may change its language and begin anew.
      onSaved(user)
      const own = useSession.getState().user?.id === user.id
      if (own) useSession.setState({ user })
      // Listings may change with the user's own record.
      void queries.invalidateQueries(own ? {} : { queryKey: ['users'], exact: true })
    },
  })
}

/** Deleting one's own account signs out. */
export function useRemoveUser({ onRemoved }: { onRemoved: () => void }) {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: ['forbidden'] },
    mutationFn: ({ id }: { id: number }) =>
      withReauthentication((proof) => client.users.remove({ params: { id: String(id) }, body: JSON.stringify(proof) })),
    onSuccess: (removed, { id }) => {
      if (removed === null) return
      onRemoved()
      if (useSession.getState().user?.id === id) return void signOut()
      void queries.invalidateQueries({ queryKey: ['users'], exact: true })
    },
  })
}
