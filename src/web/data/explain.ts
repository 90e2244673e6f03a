import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { explain, type PlannedChange } from '../../shared/contract/explain.ts'
import type { Subject } from '../../shared/contract/groups.ts'
import type { FileRight } from '../../shared/contract/rights.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ explain })

/** Which people are listed; absent fields match everybody. */
export interface ReachWish {
  readonly text?: string
  readonly only?: 'reaching' | 'others'
}

/** Who reaches a file or folder and why, a page at a time. The key begins as that of the roles there: when they change, it is read again. */
export function useReach(path: FilePath, wish: ReachWish) {
  return useInfiniteQuery({
    queryKey: ['access', path, 'reach', wish] as const,
    queryFn: ({ pageParam, signal }) =>
      client.explain.reach({ params: { path }, query: { ...wish, ...(pageParam !== null && { after: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    throwOnError: false,
  })
}

/** What a role on a node would change; nothing is asked without a subject. */
export function useRoleEffect(path: FilePath, who: Subject | null, rights: readonly FileRight[]) {
  const { kind, id } = who ?? { kind: 'everybody' as const, id: 0 }
  return useQuery({
    queryKey: ['access', path, 'effect', kind, id, rights.join()] as const,
    queryFn: ({ signal }) =>
      client.explain.effect({ params: { path }, query: { kind, id: String(id), rights: rights.join() } }, { signal }),
    enabled: who !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    throwOnError: false,
  })
}

/** What a change would open and close; nothing is asked without one, and what is out of date is cancelled. */
export function usePlannedEffect(change: PlannedChange | null) {
  return useQuery({
    queryKey: ['access', 'planned', change] as const,
    queryFn: ({ signal }) => {
      if (change === null) throw new Error('nothing to ask')
      return client.explain.change({ body: { change } }, { signal })
    },
    enabled: change !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    throwOnError: false,
  })
}
