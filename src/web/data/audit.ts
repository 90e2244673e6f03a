import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type AuditKind, audit } from '../../shared/contract/audit.ts'
import { href } from '../../shared/contract/endpoint.ts'
import { address, clientFor } from './client.ts'

const client = clientFor({ audit })

/** What of the trail is wanted; what is missing is not asked for. */
export interface ActivityFilter {
  readonly who?: string
  readonly kind?: AuditKind
  /** Milliseconds since 1970; `until` is no longer in. */
  readonly since?: string
  readonly until?: string
  readonly text?: string
}

/** The trail, the latest first, page by page; a failure is the screen's own to show. */
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

/** Where all that is wanted can be had as a file; the browser shows who asks by its cookie. */
export function activityFile(filter: ActivityFilter, format: 'csv' | 'jsonl'): string {
  return address(href(audit.export, { params: {}, query: { ...filter, format } }))
}
