import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Subject } from '../../shared/contract/groups.ts'
import { type Quota, quotas } from '../../shared/contract/quotas.ts'
import { clientFor } from './client.ts'
import { QUOTAS_KEY } from './query.ts'

const client = clientFor({ quotas })

/** All quotas; undefined until they have arrived. */
export function useQuotas(): readonly Quota[] | undefined {
  return useQuery({
    queryKey: [...QUOTAS_KEY, 'all'],
    queryFn: ({ signal }) => client.quotas.list({}, { signal }),
    // Others add and delete meanwhile.
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.some(isBeingCounted) === true ? COUNTED_SOON_MS : false),
  }).data
}

const COUNTED_SOON_MS = 1000

function isBeingCounted({ bytes, files }: Quota): boolean {
  return bytes?.used === null || files?.used === null
}

/** Whether a quota is that of a subject. */
export function isQuotaOf({ who }: Quota, { kind, id }: Subject): boolean {
  return who.kind === kind && (kind === 'everybody' || who.id === id)
}

/** Null if there is no limit, or it is being counted. */
export function countedOf(limit: Quota['bytes']): { readonly limit: number; readonly used: number } | null {
  return limit === null || limit.used === null ? null : { limit: limit.limit, used: limit.used }
}

/** The quotas that limit the user; undefined until they have arrived. */
export function useOwnQuotas() {
  return useQuery({
    queryKey: [...QUOTAS_KEY, 'mine'],
    queryFn: ({ signal }) => client.quotas.mine({}, { signal }),
    retry: false,
  }).data
}

/** In bytes, and as a number of files and folders; null for no limit. */
export function useSetQuota() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { who: Subject; bytes: number | null; files: number | null }) => client.quotas.set({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: QUOTAS_KEY }),
  })
}

/** Counts again what a quota holds. */
export function useCountQuota() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (who: Subject) => client.quotas.count({ body: { who } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: QUOTAS_KEY }),
  })
}
