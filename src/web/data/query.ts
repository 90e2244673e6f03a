import { QueryClient } from '@tanstack/react-query'
import { isAppError } from '../../shared/errors.ts'

const LISTINGS_KEPT_MS = 5 * 60_000

/** Errors that a retry can resolve. */
const RETRYABLE = new Set<string>(['offline', 'busy', 'too-many-requests', 'unexpected'])

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Comparing 100,000 entries costs more than fetching them.
        structuralSharing: false,
        gcTime: LISTINGS_KEPT_MS,
        retry: (failures, error) => failures < 2 && !(isAppError(error) && !RETRYABLE.has(error.code)),
      },
      mutations: { retry: false },
    },
  })
}
