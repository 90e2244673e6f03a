import { type MutationOptions, mutationOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Favourite, favourites } from '../../shared/contract/favourites.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { clientFor, unlessGone } from './client.ts'
import { updateOptimistically } from './optimistic.ts'
import { FAVOURITES_KEY } from './query.ts'
import { IS_ELSEWHERE } from './share-context.ts'
import { RECENT_KEY } from './recent-files.ts'

const client = clientFor({ places: favourites })

/** A favourite with its path parsed. */
export interface FavouriteEntry extends Omit<Favourite, 'path'> {
  readonly path: FilePath
}

export interface Favourites {
  /** In the user's order. */
  readonly favourites: readonly FavouriteEntry[]
  readonly keepsRecent: boolean
}

const FRESH_MS = 30_000
const NONE: readonly FavouriteEntry[] = []

/** Favourites and the recent files setting. */
export function favouritesQuery() {
  return queryOptions({
    queryKey: FAVOURITES_KEY,
    queryFn: async ({ signal }): Promise<Favourites> => {
      const { favourites: found, keepsRecent } = await client.places.mine({}, { signal })
      return { favourites: found.map((one) => ({ ...one, path: parseFilePath(one.path) })), keepsRecent }
    },
    staleTime: FRESH_MS,
    // Invalidated after every folder change; keeping references avoids rendering rows again.
    structuralSharing: true,
    // Another tab or device may have changed them.
    refetchOnWindowFocus: 'always',
    // Within a share, paths mean something else.
    enabled: !IS_ELSEWHERE,
  })
}

export function useFavourites(): readonly FavouriteEntry[] {
  return useQuery(favouritesQuery()).data?.favourites ?? NONE
}

/** Paths of the favourites; the same set until they change. */
export function useStars(): ReadonlySet<FilePath> {
  const entries = useFavourites()
  return useMemo(() => new Set(entries.map(({ path }) => path)), [entries])
}

/** Whether recent files are recorded; undefined while unknown. */
export function useKeepsRecent(): boolean | undefined {
  return useQuery(favouritesQuery()).data?.keepsRecent
}

/** Mutation that adds or removes favourites. */
export function starring(queries: QueryClient) {
  return change<{ entries: readonly FavouriteEntry[]; starred: boolean }>(queries, {
    expected(now, { entries, starred }) {
      const paths = new Set(entries.map(({ path }) => path))
      const had = new Set(now.favourites.map(({ path }) => path))
      if (!starred) return { ...now, favourites: now.favourites.filter(({ path }) => !paths.has(path)) }
      return { ...now, favourites: [...now.favourites, ...entries.filter(({ path }) => !had.has(path))] }
    },
    async mutationFn({ entries, starred }) {
      // Sequential, because the order of requests is the order of favourites.
      for (const { path } of entries) {
        if (starred) await client.places.star({ params: { path } })
        else await unlessGone(client.places.unstar({ params: { path } }))
      }
    },
  })
}

/** Mutation that reorders all favourites. */
export function reordering(queries: QueryClient) {
  return change<readonly FilePath[]>(queries, {
    expected(now, paths) {
      const place = new Map(paths.map((path, at) => [path, at]))
      const placeOf = ({ path }: FavouriteEntry) => place.get(path) ?? paths.length
      return { ...now, favourites: now.favourites.toSorted((a, b) => placeOf(a) - placeOf(b)) }
    },
    mutationFn: (paths) => client.places.arrange({ body: { paths: [...paths] } }),
  })
}

/** Mutation that starts or stops the recording of recent files; with `false`, the server also deletes the list. */
export function keepingRecent(queries: QueryClient) {
  return change<boolean>(queries, {
    expected: (now, keepsRecent) => ({ ...now, keepsRecent }),
    mutationFn: (keep) => client.places.keep({ body: { keep } }).finally(() => void queries.invalidateQueries({ queryKey: RECENT_KEY })),
  })
}

interface Change<Variables> {
  readonly expected: (now: Favourites, variables: Variables) => Favourites
  readonly mutationFn: (variables: Variables) => Promise<void>
}

/** Optimistic and sequential, so that the last choice wins on the server too. */
function change<Variables>(
  queries: QueryClient,
  { expected, mutationFn }: Change<Variables>,
): MutationOptions<void, Error, Variables, () => void> {
  return mutationOptions({
    mutationKey: FAVOURITES_KEY,
    scope: { id: 'favourites' },
    mutationFn,
    onMutate: (variables) => updateOptimistically<Favourites>(queries, FAVOURITES_KEY, (now) => expected(now, variables)),
    onError: (_error, _variables, rollback) => rollback?.(),
    onSettled() {
      // A response read while another mutation is pending would be outdated.
      if (queries.isMutating({ mutationKey: FAVOURITES_KEY }) === 1) void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
    },
  })
}
