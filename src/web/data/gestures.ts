import { keepPreviousData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import type { Gesture, GestureItem, OperationKind, OutsideChange } from '../../shared/contract/operations.ts'
import { operations } from '../../shared/contract/operations.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'

const client = clientFor({ operations })

const GESTURES_KEY = ['gestures'] as const
const PAGE = 50
const REFRESH_MS = 20_000

/** One change of a gesture, with its paths parsed. */
export interface Change extends Omit<GestureItem, 'path' | 'origin'> {
  /** Where it was afterwards, of a deletion before; null if the user may not see it. */
  readonly path: FilePath | null
  /** Where a move or copy came from; null if there is none or the user may not see it. */
  readonly origin: FilePath | null
}

/** What one person did at once, with its paths parsed. */
export interface PastGesture extends Omit<Gesture, 'items'> {
  readonly items: readonly Change[]
}

/** What other programs changed in a short time, with its paths parsed. */
export interface PastOutside extends Omit<OutsideChange, 'items'> {
  readonly items: readonly (Omit<OutsideChange['items'][number], 'path'> & { readonly path: FilePath })[]
}

/** An entry of a timeline. */
export type PastEntry = PastGesture | PastOutside

export interface GestureFilter {
  readonly path: FilePath
  /** Also everything below the folder. */
  readonly below: boolean
  /** Name of a user; empty for everybody. */
  readonly by: string
  readonly kind: OperationKind | ''
}

interface Page {
  readonly gestures: readonly PastGesture[]
  readonly outside: readonly PastOutside[]
  readonly next: string | null
}

/** What was done to a file or folder, the newest first, as far as it has been loaded; `gestures` is undefined until the first page is there. */
export function useGestures({ path, below, by, kind }: GestureFilter) {
  const queries = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: [...GESTURES_KEY, path, below, by, kind],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const asked = {
        path,
        ...(below && { below: 'true' }),
        ...(by !== '' && { by }),
        ...(kind !== '' && { kind }),
        ...(pageParam !== null && { after: pageParam }),
      }
      const { gestures, outside, next } = await client.operations.list({ query: { ...asked, limit: String(PAGE) } }, { signal })
      return { gestures: gestures.map(parsed), outside: outside.map(parsedOutside), next }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    // Another tab or person may have done something.
    refetchOnWindowFocus: 'always',
    // What other programs changed is known only some seconds later. Further pages would be read again too.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? REFRESH_MS : false),
  })
  useEffect(() => refreshWithFolders(queries), [queries])
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchNextPageError, isFetchingNextPage, isPlaceholderData } = query
  const gestures = useMemo(() => data?.pages.flatMap((page) => page.gestures), [data])
  const entries = useMemo(() => data?.pages.flatMap(entriesOf), [data])
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  return {
    gestures,
    /** The same, with what other programs changed. */
    entries,
    error,
    refetch,
    /** How many pages have been loaded; a page may be empty. */
    pages: data?.pages.length ?? 0,
    hasMore: hasNextPage && !isPlaceholderData,
    /** The last attempt to load more has failed. */
    failed: isFetchNextPageError,
    loading: isFetchingNextPage,
    loadMore,
  }
}

/** Reads them again, after changes. */
export function refreshGestures(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: GESTURES_KEY })
}

/** Whenever a folder was read again: something has changed in it. @returns ends it */
function refreshWithFolders(queries: QueryClient): () => void {
  return queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
    if (event.query.queryKey[0] === 'folder') void refreshGestures(queries)
  })
}

function entriesOf({ gestures, outside }: Page): PastEntry[] {
  return [...gestures, ...outside].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function parsedOutside({ items, ...change }: OutsideChange): PastOutside {
  return { ...change, items: items.map((item) => ({ ...item, path: parseFilePath(item.path) })) }
}

function parsed({ items, ...gesture }: Gesture): PastGesture {
  const pathOf = (text: string | null) => (text === null ? null : parseFilePath(text))
  return { ...gesture, items: items.map((item) => ({ ...item, path: pathOf(item.path), origin: pathOf(item.origin) })) }
}
