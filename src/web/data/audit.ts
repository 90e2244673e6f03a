import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type AuditKind, audit } from '../../shared/contract/audit.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { address, clientFor } from './client.ts'

const client = clientFor({ audit })

/** Filter of the activity log; absent fields match everything. */
export interface ActivityFilter {
  readonly who?: string
  readonly kind?: AuditKind
  /** Milliseconds since 1970; `until` is exclusive. */
  readonly since?: string
  readonly until?: string
  readonly text?: string
}

/** The activity log, newest first, paginated; the screen shows errors. */
export function useActivity(filter: ActivityFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter] as const,
    queryFn: ({ pageParam, signal }) =>
      client.audit.list({ query: { ...filter, ...(pageParam !== null && { before: String(pageParam) }) } }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    throwOnError: false,
  })
}

/** Address of the filtered log as a file; authenticated by the cookie. */
export function activityFile(filter: ActivityFilter, format: 'csv' | 'jsonl'): string {
  return address(href(audit.export, { params: {}, query: { ...filter, format } }))
}
