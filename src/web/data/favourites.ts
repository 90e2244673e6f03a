import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RecentAction } from '../../shared/contract/favourites.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { type Favourites, FAVOURITES_KEY, type FavouriteEntry } from './favourite-entry.ts'

const FRESH_MS = 30_000
const NONE: readonly FavouriteEntry[] = []

/** Favourites and the recent files setting. The API module is loaded on first use, so that it does not delay the first rows. */
export function favouritesQuery() {
  return queryOptions({
    queryKey: FAVOURITES_KEY,
    queryFn: async ({ signal }): Promise<Favourites> => {
      const { readFavourites } = await loadFavouritesApi()
      const { favourites, keepsRecent } = await readFavourites(signal)
      return { favourites: favourites.map((one) => ({ ...one, path: parseFilePath(one.path) })), keepsRecent }
    },
    staleTime: FRESH_MS,
    // Invalidated after every folder change; keeping references avoids rendering rows again.
    structuralSharing: true,
    // Another tab or device may have changed them.
    refetchOnWindowFocus: 'always',
  })
}

export function useFavourites(): readonly FavouriteEntry[] {
  return useQuery(favouritesQuery()).data?.favourites ?? NONE
}

/** Paths of the favourites; the same set until they change. */
export function useStars(): ReadonlySet<FilePath> {
  const favourites = useFavourites()
  return useMemo(() => new Set(favourites.map(({ path }) => path)), [favourites])
}

/** Whether recent files are recorded; undefined while unknown. */
export function useKeepsRecent(): boolean | undefined {
  return useQuery(favouritesQuery()).data?.keepsRecent
}

/** Records that the user opened or wrote a file; the server decides whether to keep it. */
export function recordVisit(path: FilePath, how: RecentAction): void {
  // A missing recent file is not worth an error.
  void loadFavouritesApi().then(
    (calls) => calls.recordVisit(path, how),
    () => undefined,
  )
}

export function loadFavouritesApi() {
  return import('./favourites-api.ts')
}
