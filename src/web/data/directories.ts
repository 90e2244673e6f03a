import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Directory, type DirectoryInput, directories, directory } from '../../shared/contract/directories.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import { clientFor, unlessGone } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    'connect-directory': { props: { id: string; name: string }; answer: true }
  }
}

const client = clientFor({ directories, directory })
const KEY = ['directories']

/** All directories; the screen shows errors. */
export function useDirectories() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => client.directories.list({}, { signal }), staleTime: 0, throwOnError: false })
}

function useChange<Input, Result>(mutationFn: (input: Input) => Promise<Result>, shows: readonly ErrorCode[] = []) {
  const queries = useQueryClient()
  return useMutation({ meta: { shows }, mutationFn, onSettled: () => queries.invalidateQueries({ queryKey: KEY }) })
}

/** Adds a directory, or changes the one with that id. @returns null if the user cancelled */
export function useSaveDirectory() {
  return useChange(
    ({ id, isNew, input }: { id: string; isNew: boolean; input: DirectoryInput }) =>
      withReauthentication(async (proof) => {
        if (isNew) await client.directories.create({ body: { ...input, id, ...proof } })
        else await client.directories.update({ params: { id }, body: { ...input, ...proof } })
        return id
      }),
    ['invalid-input', 'already-exists'],
  )
}

export function useRemoveDirectory() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => withReauthentication((proof) => unlessGone(client.directories.remove({ params: { id }, body: proof }))),
    // Its connections are gone too.
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: KEY }), queries.invalidateQueries({ queryKey: ['providers'] })]),
  })
}

/** Signs in step by step; without a name only as far as the search. */
export function useTryDirectory() {
  return useMutation({
    mutationFn: ({ id, username, password }: { id: string; username: string; password: string }) =>
      client.directories.try({
        params: { id },
        body: { ...(username !== '' && { username }), ...(username !== '' && password !== '' && { password }) },
      }),
  })
}

export function useCheckDirectory() {
  return useChange((id: string) => client.directories.check({ params: { id } }), ['invalid-input', 'busy'])
}

/** Connects the own account with a person of a directory. @returns null if the user cancelled */
export function connectDirectory(id: string, person: { username: string; password: string }): Promise<true | null> {
  return withReauthentication(async (proof) => {
    await client.directory.connect({ params: { id }, body: { ...person, ...proof } })
    return true as const
  })
}

export type { Directory }
