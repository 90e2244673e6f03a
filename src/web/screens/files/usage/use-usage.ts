import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { UsageResult } from '../../../data/usage.ts'

/** Poll interval while the index is not up to date. */
const ASK_AGAIN_MS = 3000

/** Common prefix of these query keys; the disk usage of the server has another. */
export const USAGE = ['what takes room'] as const

export function usageKey(kind: 'map' | 'largest', path: FilePath) {
  return [...USAGE, kind, path] as const
}

/** Disk usage of a folder or subtree; polled until the index is up to date. Null while unknown. */
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
