import { MutationCache, type MutationOptions, QueryClient } from '@tanstack/react-query'
import { type ErrorCode, isAppError } from '../../shared/errors.ts'

const LISTINGS_KEPT_MS = 5 * 60_000

/** Key of the favourites, which are out of date after each change of a folder. */
export const FAVOURITES_KEY = ['places'] as const

/** Common prefix of the keys of the trash, which is out of date after each deletion and restoration. */
export const TRASH_KEY = ['trash'] as const

/** Common prefix of the keys of quotas and of what is used of the disk. */
export const QUOTAS_KEY = ['usage'] as const

/** Errors that a retry can resolve. */
const RETRYABLE = new Set<string>(['offline', 'busy', 'too-many-requests', 'unexpected'])

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Errors that the form shows next to its fields; all others are passed to `onError` of the query client. */
      shows?: 'all' | readonly ErrorCode[]
    }
  }
}

/** @param onError called with each error of a mutation that no form shows */
export function createQueryClient({ onError }: { onError: (error: unknown) => void }): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _context, { meta }) {
        const shown = meta?.shows === 'all' || (isAppError(error) && meta?.shows?.includes(error.code))
        if (!shown) onError(error)
      },
    }),
    defaultOptions: {
      queries: {
        // Comparing 100,000 entries costs more than fetching them.
        structuralSharing: false,
        gcTime: LISTINGS_KEPT_MS,
        retry: (failures, error) => failures < 2 && !(isAppError(error) && !RETRYABLE.has(error.code)),
      },
      // Offline, a change fails at once instead of waiting for a network.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** `useMutation` for code outside of components. An error is passed to `onError` of the query client. */
export function mutate<Data, Variables, Context>(
  queries: QueryClient,
  options: MutationOptions<Data, Error, Variables, Context>,
  variables: Variables,
): void {
  const mutation = queries.getMutationCache().build(queries, queries.defaultMutationOptions(options))
  void mutation.execute(variables).catch(() => undefined)
}

/** Query key of what others share with the user. */
export const WITH_ME_KEY = ['with-me'] as const

/** Query key of the user's shares with people; those of one node are below it. */
export const PEOPLE_SHARES_KEY = ['people-shares'] as const
