import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NamedRecipient, PeopleShare } from '../../shared/contract/people-shares.ts'
import type { Share } from '../../shared/contract/shares.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { useSession } from './session.ts'
import { PEOPLE_SHARES_KEY } from './query.ts'
import { CURRENT_SHARE } from './share-context.ts'
import { whenIdle } from './when-idle.ts'

/** Query key of all visible links; those of one node are below it. */
export const SHARES_KEY = ['shares'] as const

const FRESH_MS = 30_000
const NONE: readonly Share[] = []
const NOBODY: readonly PeopleShare[] = []

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
export function useLinkedPaths(): ReadonlySet<FilePath> {
  const id = useSharer()
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

/** With whom the user shares which paths. One request for all folders, when the page is idle. */
export function useSharedWith(): ReadonlyMap<FilePath, readonly NamedRecipient[]> {
  const id = useSharer()
  const { data = NOBODY } = useQuery({
    queryKey: PEOPLE_SHARES_KEY,
    queryFn: async (context) => {
      await whenIdle(2000)
      return (await import('./people-shares.ts')).readPeopleShares(context.signal)
    },
    staleTime: FRESH_MS,
    structuralSharing: true,
    enabled: id !== null,
  })
  return useMemo(() => recipientsOf(id, data), [id, data])
}

/** Paths that the user shares by link or with people; the same set until they change. */
export function useSharedPaths(): ReadonlySet<FilePath> {
  const linked = useLinkedPaths()
  const withPeople = useSharedWith()
  return useMemo(() => new Set([...linked, ...withPeople.keys()]), [linked, withPeople])
}

/** The id of a user who may share; otherwise null. */
function useSharer(): number | null {
  return useSession(({ user }) => (CURRENT_SHARE === null && user !== null && (user.perm.admin || user.perm.share) ? user.id : null))
}

/** Administrators see everyone's links, but only their own mark their entries. A broken link does not open what is at its path. */
export function pathsSharedBy(userId: number | null, links: readonly Pick<Share, 'userID' | 'path' | 'broken'>[]): ReadonlySet<FilePath> {
  return new Set(links.filter(({ userID, broken }) => userID === userId && !broken).map(({ path }) => parseFilePath(path)))
}

/** As `pathsSharedBy`, of shares with people and groups. */
export function recipientsOf(
  userId: number | null,
  shares: readonly Pick<PeopleShare, 'owner' | 'path' | 'broken' | 'who'>[],
): ReadonlyMap<FilePath, readonly NamedRecipient[]> {
  const recipients = new Map<FilePath, NamedRecipient[]>()
  for (const { owner, path: shown, broken, who } of shares) {
    if (owner.id !== userId || broken) continue
    const path = parseFilePath(shown)
    recipients.set(path, [...(recipients.get(path) ?? []), who])
  }
  return recipients
}
