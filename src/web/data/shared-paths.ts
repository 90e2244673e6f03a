import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Share } from '../../shared/contract/shares.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { useSession } from './session.ts'
import { whenIdle } from './when-idle.ts'

/** Under which the page remembers every link that its person may see; those of one node are below it. */
export const SHARES_KEY = ['shares'] as const

const FRESH_MS = 30_000
const NONE: readonly Share[] = []

/** Every link: one's own, for administrators everybody's. The calls themselves are fetched when they are first made: no first row waits for them. */
export function sharesQuery() {
  return queryOptions({
    queryKey: SHARES_KEY,
    queryFn: async ({ signal }) => (await import('./share-calls.ts')).readShares(signal),
    staleTime: FRESH_MS,
    // Where no link came or went, no row is drawn again.
    structuralSharing: true,
  })
}

/** The paths that have a link of one's own; the same set until one comes or goes. One call for all folders, made once the page is idle. */
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

/** An administrator sees everybody's links; only one's own mark what one sees in one's own folder. */
export function pathsSharedBy(userId: number | null, links: readonly Pick<Share, 'userID' | 'path'>[]): ReadonlySet<FilePath> {
  return new Set(links.filter(({ userID }) => userID === userId).map(({ path }) => parseFilePath(path)))
}
