import { queryOptions, useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Share, ShareChange, ShareUnit, ShareVisit } from '../../shared/contract/shares.ts'
import { isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { client } from './share-calls.ts'
import { SHARES_KEY, sharesQuery } from './shared-paths.ts'

declare module './prompts.ts' {
  interface PromptKinds {
    /** The terms of a link, to be changed. */
    'share-edit': { props: { share: Share }; answer: true }
    /** What came of a link. */
    'share-visits': { props: { share: Share }; answer: never }
    /** Whether a link is to end; with yes it has. */
    'share-end': { props: { share: Share }; answer: true }
  }
}

/** What a link can be besides; nothing of it where it is to be as it always was. */
export type ShareOptions = Omit<ShareChange, 'password' | 'expires' | 'unit'>

/** What a new link is to be: no password and no end unless said. */
export interface NewShare {
  /** As typed; 0 or empty for a link that stays. */
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

/** Those that there are, for a screen that is about something else; none while nobody knows. */
export function useKnownShares(): readonly Share[] {
  return useQuery(sharesQuery()).data ?? []
}

/** Who has which links: the person's own, for administrators everybody's; permanent ones first, then by expiry. */
export function useShares(): Share[] {
  return useSuspenseQuery(sharesQuery()).data
}

/** The links of one node; null while they come. Fails towards `error`. */
export function useSharesOf(path: FilePath): { shares: Share[] | null; error: unknown } {
  const { data, error } = useQuery(sharesOfQuery(path))
  return { shares: data ?? null, error }
}

/** Makes a link; with neither password nor duration the body is an empty object. */
export function useMakeShare(path: FilePath) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ expires, unit, password, options }: NewShare) => {
      const lasting = Number(expires) === 0
      const body = { ...(lasting ? {} : { expires, unit }), ...(password === '' ? {} : { password }), ...options }
      return client.shares.create({ params: { path }, query: lasting ? {} : { expires, unit }, body: JSON.stringify(body) })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: SHARES_KEY }),
  })
}

/** Changes a link. Fails with `already-exists` where its new name is taken. */
export function useChangeShare() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ hash, change }: { hash: string; change: ShareChange }) => client.shares.change({ params: { hash }, body: change }),
    onSettled: () => queries.invalidateQueries({ queryKey: SHARES_KEY }),
  })
}

/** What came of a link, the newest first; null while it comes. */
export function useShareVisits(hash: string): { visits: ShareVisit[] | null; error: unknown } {
  const { data, error } = useQuery({
    queryKey: ['share-visits', hash],
    queryFn: ({ signal }) => client.shares.visits({ params: { hash } }, { signal }),
    staleTime: 0,
  })
  return { visits: data ?? null, error }
}

/** Ends a link. It leaves every list at once, and comes back should the server refuse; one that has just ended by itself is as good. */
export function useEndShare() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ hash }: Share) => {
      try {
        await client.shares.remove({ params: { hash } })
      } catch (error) {
        if (!isAppError(error, 'not-found')) throw error
      }
    },
    onMutate: async ({ hash }) => {
      await queries.cancelQueries({ queryKey: SHARES_KEY })
      const before = queries.getQueriesData<Share[]>({ queryKey: SHARES_KEY })
      queries.setQueriesData<Share[]>({ queryKey: SHARES_KEY }, (known) => known?.filter((one) => one.hash !== hash))
      return { before }
    },
    onError: (_, __, kept) => {
      for (const [key, known] of kept?.before ?? []) queries.setQueryData(key, known)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: SHARES_KEY }),
  })
}
