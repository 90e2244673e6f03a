import { useQuery } from '@tanstack/react-query'
import { type Root, roots } from '../../shared/contract/roots.ts'
import { clientFor } from './client.ts'

const client = clientFor({ roots })

/** Disks are connected and disconnected meanwhile. */
const AGAIN_MS = 10_000

/** The folders that are served, the main one first; undefined until they have arrived. */
export function useRoots(): readonly Root[] | undefined {
  return useQuery({
    queryKey: ['roots'],
    queryFn: ({ signal }) => client.roots.list({}, { signal }),
    staleTime: 0,
    refetchInterval: AGAIN_MS,
  }).data
}
