import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Share, ShareChange, ShareUnit, ShareVisit } from '../../shared/contract/shares.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { unlessGone } from './client.ts'
import { updateOptimistically } from './optimistic.ts'
import { client } from './share-calls.ts'
import { SHARES_KEY, sharesQuery } from './shared-paths.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** Edits the options of a link. */
    'share-edit': { props: { share: Share }; answer: true }
    /** Shows the visits of a link. */
    'share-visits': { props: { share: Share }; answer: never }
    /** Confirms the deletion of a link; when answered, it is deleted. */
    'share-end': { props: { share: Share }; answer: true }
  }
}

/** Optional settings of a link. */
export type ShareOptions = Omit<ShareChange, 'password' | 'expires' | 'unit'>

/** A new link: no password and no expiry by default. */
export interface NewShare {
  /** As typed; 0 or empty for a permanent link. */
  readonly expires: string
  readonly unit: ShareUnit
  readonly password: string
  readonly options: ShareOptions
}

const sharesOfQuery = (path: FilePath) =>
  queryOptions({
    queryKey: [...SHARES_KEY, path],
    queryFn: ({ signal }) => client.shares.ofPath({ params: { path } }, { signal }),
    staleTime: 0,
  })

/** Known links, for other screens; empty while loading. */
export function useKnownShares(): readonly Share[] {
  return useQuery(sharesQuery()).data ?? []
}

/** The user's links, or everyone's for administrators; permanent ones first, then by expiry. */
export function useShares(): Share[] {
  return useSuspenseQuery(sharesQuery()).data
}

/** Links of one node; null while loading. */
export function useSharesOf(path: FilePath): { shares: Share[] | null; error: unknown } {
  const { data, error } = useQuery(sharesOfQuery(path))
  return { shares: data ?? null, error }
}

/** Creates a link; without password and duration the body is an empty object. */
export function useMakeShare(path: FilePath) {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: 'all' },
    mutationFn: ({ expires, unit, password, options }: NewShare) => {
      const lasting = Number(expires) === 0
      const body = { ...(lasting ? {} : { expires, unit }), ...(password === '' ? {} : { password }), ...options }
      return client.shares.create({ params: { path }, query: lasting ? {} : { expires, unit }, body: JSON.stringify(body) })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: SHARES_KEY }),
  })
}

/** Creates a permanent link to a folder. */
export async function shareFolder(queries: QueryClient, path: FilePath): Promise<Share> {
  const share = await client.shares.create({ params: { path }, query: {}, body: '{}' })
  await queries.invalidateQueries({ queryKey: SHARES_KEY })
  return share
}

/** Changes a link. Fails with `already-exists` if its new name is taken. */
export function useChangeShare() {
  const queries = useQueryClient()
  return useMutation({
    meta: { shows: 'all' },
    mutationFn: ({ hash, change }: { hash: string; change: ShareChange }) => client.shares.change({ params: { hash }, body: change }),
    onSettled: () => queries.invalidateQueries({ queryKey: SHARES_KEY }),
  })
}

/** Visits of a link, newest first; null while loading. */
export function useShareVisits(hash: string): { visits: ShareVisit[] | null; error: unknown } {
  const { data, error } = useQuery({
    queryKey: ['share-visits', hash],
    queryFn: ({ signal }) => client.shares.visits({ params: { hash } }, { signal }),
    staleTime: 0,
  })
  return { visits: data ?? null, error }
}

/** Deletes a link optimistically; a link that no longer exists counts as deleted. */
export function useEndShare({ onSuccess }: { onSuccess: () => void }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ hash }: Share) => unlessGone(client.shares.remove({ params: { hash } })),
    onMutate: ({ hash }) =>
      queries
        .getQueriesData({ queryKey: SHARES_KEY })
        .map(([key]) => updateOptimistically<Share[]>(queries, key, (links) => links.filter((link) => link.hash !== hash))),
    onSuccess,
    onError: (_, __, rollbacks) => rollbacks?.forEach((rollback) => rollback()),
    onSettled: () => queries.invalidateQueries({ queryKey: SHARES_KEY }),
  })
}
