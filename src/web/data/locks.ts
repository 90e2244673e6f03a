import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FileLock, locks } from '../../shared/contract/locks.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ locks })

const KEY = ['locks'] as const

/** What keeps a file or folder from being changed; undefined until it is known. */
export function useLocks(path: FilePath): readonly FileLock[] | undefined {
  return useQuery({
    queryKey: [...KEY, path],
    queryFn: ({ signal }) => client.locks.list({ params: { path } }, { signal }),
    // Programs lock and unlock meanwhile.
    staleTime: 0,
    retry: false,
  }).data
}

export function useRemoveLocks() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (path: FilePath) => client.locks.remove({ params: { path } }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}
