import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { UsageResult } from '../../../data/usage.ts'

/** While the server does not know. */
const ASK_AGAIN_MS = 3000

/** What every key of these begins with; of the whole disk there is another. */
export const USAGE = ['what takes room'] as const

export function usageKey(kind: 'map' | 'largest', path: FilePath) {
  return [...USAGE, kind, path] as const
}

/** What takes room in or below a folder; asked for again until the server knows. Null as long as nobody does. */
export function useUsage<T extends UsageResult>(
  kind: 'map' | 'largest',
  path: FilePath,
  read: (asked: { before: T | null; signal: AbortSignal }) => Promise<T | null>,
) {
  const queries = useQueryClient()
  const queryKey = usageKey(kind, path)
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => read({ before: queries.getQueryData<T | null>(queryKey) ?? null, signal }),
    refetchInterval: ({ state }) => (state.data?.isComplete === true || state.error !== null ? false : ASK_AGAIN_MS),
  })
}
