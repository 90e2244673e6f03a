import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Share } from '../../shared/contract/shares.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { useSession } from './session.ts'
import { whenIdle } from './when-idle.ts'

/** Query key of all visible links; those of one node are below it. */
export const SHARES_KEY = ['shares'] as const

const FRESH_MS = 30_000
const NONE: readonly Share[] = []

/** All links of the user, or of everyone for administrators. The API module is loaded on first use, so that it does not delay the first rows. */
export function sharesQuery() {
  return queryOptions({
    queryKey: SHARES_KEY,
    queryFn: async ({ signal }) => (await import('./share-calls.ts')).readShares(signal),
    staleTime: FRESH_MS,
    // Keeping references avoids rendering rows again.
    structuralSharing: true,
  })
}

/** Paths with a link of the user; the same set until they change. One request for all folders, when the page is idle. */
export function useSharedPaths(): ReadonlySet<FilePath> {
  const id = useSession(({ user }) => (user !== null && (user.perm.admin || user.perm.share) ? user.id : null))
  const { data = NONE } = useQuery({
    ...sharesQuery(),
    queryFn: async (context) => {
      await whenIdle(2000)
      return (await import('./share-calls.ts')).readShares(context.signal)
    },
    enabled: id !== null,
  })
  return useMemo(() => pathsSharedBy(id, data), [id, data])
}

/** Administrators see everyone's links, but only their own mark their entries. A broken link does not open what is at its path. */
export function pathsSharedBy(userId: number | null, links: readonly Pick<Share, 'userID' | 'path' | 'broken'>[]): ReadonlySet<FilePath> {
  return new Set(links.filter(({ userID, broken }) => userID === userId && !broken).map(({ path }) => parseFilePath(path)))
}
