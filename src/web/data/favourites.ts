import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RecentAction } from '../../shared/contract/favourites.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { type Favourites, FAVOURITES_KEY, type FavouriteEntry } from './favourite-entry.ts'

const FRESH_MS = 30_000
const NONE: readonly FavouriteEntry[] = []

/** What somebody comes back to. The calls themselves are fetched when they are first made: no first row waits for them. */
export function favouritesQuery() {
  return queryOptions({
    queryKey: FAVOURITES_KEY,
    queryFn: async ({ signal }): Promise<Favourites> => {
      const { readFavourites } = await loadFavouritesApi()
      const { favourites, keepsRecent } = await readFavourites(signal)
      return { favourites: favourites.map((one) => ({ ...one, path: parseFilePath(one.path) })), keepsRecent }
    },
    staleTime: FRESH_MS,
    // Read again after every change of a folder: where no star came or went, no row is drawn again.
    structuralSharing: true,
    // Another tab, or another device, may have changed them.
    refetchOnWindowFocus: 'always',
  })
}

export function useFavourites(): readonly FavouriteEntry[] {
  return useQuery(favouritesQuery()).data?.favourites ?? NONE
}

/** The paths that have a star; the same set until one comes or goes. */
export function useStars(): ReadonlySet<FilePath> {
  const favourites = useFavourites()
  return useMemo(() => new Set(favourites.map(({ path }) => path)), [favourites])
}

/** Whether recent files are remembered; undefined until that is known. */
export function useKeepsRecent(): boolean | undefined {
  return useQuery(favouritesQuery()).data?.keepsRecent
}

/** Somebody has this file before their eyes, or has just written it. The server decides whether to remember that. */
export function recordVisit(path: FilePath, how: RecentAction): void {
  // A list that lacks a file is no failure of what was done with it.
  void loadFavouritesApi().then(
    (calls) => calls.recordVisit(path, how),
    () => undefined,
  )
}

export function loadFavouritesApi() {
  return import('./favourites-api.ts')
}
