import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type ImportedPerson,
  MOST_CHANGED_AT_ONCE,
  MOST_IMPORTED_AT_ONCE,
  type NewPerson,
  people,
  type PeopleAction,
  type PeopleFilter,
} from '../../shared/contract/people.ts'
import { clientFor } from './client.ts'
import { type ReauthenticationFields, withReauthentication } from './reauthenticate.ts'

const client = clientFor({ people })

/** Which people a list shows; absent fields match everybody. */
export interface PeopleWish {
  readonly text?: string
  readonly only?: PeopleFilter
  readonly group?: string
}

/** People by name, a page at a time; the screen shows errors. */
export function usePeople(wish: PeopleWish) {
  return useInfiniteQuery({
    queryKey: ['people', wish] as const,
    queryFn: ({ pageParam, signal }) =>
      client.people.list({ query: { ...wish, ...(pageParam !== null && { after: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    throwOnError: false,
  })
}

/** Ids of everybody who matches. Fails as the call does. */
export async function idsOfPeople(wish: PeopleWish): Promise<number[]> {
  return (await client.people.ids({ query: { ...wish } })).ids
}

/** Everything that shows accounts is read again. */
const CHANGED = ['people', 'users', 'groups', 'members', 'mail'] as const

function useReadAgain() {
  const queries = useQueryClient()
  return () => Promise.all(CHANGED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
}

/** @returns how many were changed and refused; null if the password was not given */
export function useChangePeople() {
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: ({ ids, change }: { ids: readonly number[]; change: PeopleAction }) =>
      withReauthentication(async (proof) => {
        const total = { changed: 0, refused: 0 }
        for (const part of partsOf(ids, MOST_CHANGED_AT_ONCE)) {
          const { changed, refused } = await client.people.change({ body: { ids: part, change, ...proof } })
          total.changed += changed.length
          total.refused += refused.length
        }
        return total
      }),
    onSettled: readAgain,
  })
}

export interface ImportWish {
  readonly people: readonly NewPerson[]
  /** Changes nothing. */
  readonly preview: boolean
  readonly mail: boolean
  readonly onProgress?: (done: number) => void
}

async function importAll(
  { people: list, preview, mail, onProgress }: ImportWish,
  proof: ReauthenticationFields,
): Promise<ImportedPerson[]> {
  const results: ImportedPerson[] = []
  for (const part of partsOf(list, MOST_IMPORTED_AT_ONCE)) {
    results.push(...(await client.people.import({ body: { people: part, preview, mail, ...proof } })).people)
    onProgress?.(results.length)
  }
  return results
}

/** Creates accounts, or says what would be created; null if the password was not given. Lines that were created stay so if a later part fails. */
export function useImportPeople() {
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: (wish: ImportWish) => withReauthentication((proof) => importAll(wish, proof)),
    onSettled: (_, __, { preview }) => (preview ? undefined : readAgain()),
  })
}

function partsOf<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) => list.slice(at * length, (at + 1) * length))
}
