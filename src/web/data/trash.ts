import { type InfiniteData, keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Job } from '../../shared/contract/jobs.ts'
import { trash, type TrashEntry } from '../../shared/contract/trash.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { clientFor, unlessGone } from './client.ts'
import { invalidateParents } from './folders.ts'
import { followJob } from './jobs.ts'
import { TRASH_KEY } from './query.ts'

const client = clientFor({ trash })

const LIST_KEY = [...TRASH_KEY, 'list'] as const
const PAGE = 200

/** Something in the trash, with its path parsed. */
export interface Trashed extends Omit<TrashEntry, 'path'> {
  /** Where it was. */
  readonly path: FilePath
}

export interface TrashFilter {
  /** Only what was deleted in this folder, by anybody; null for everything. */
  readonly folder: FilePath | null
  /** Part of a name. */
  readonly text: string
  /** What others have deleted too; for administrators. */
  readonly all: boolean
}

interface Page {
  readonly entries: readonly Trashed[]
  readonly next: string | null
}

/** The trash, newest first, as far as it has been loaded; `entries` is undefined until the first page is there. */
export function useTrash({ folder, text, all }: TrashFilter) {
  const query = useInfiniteQuery({
    queryKey: [...LIST_KEY, folder, text, all],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const asked = {
        ...(folder !== null && { path: folder }),
        ...(text !== '' && { text }),
        ...(all && { all: 'true' }),
        ...(pageParam !== null && { after: pageParam }),
      }
      const { entries, next } = await client.trash.list({ query: { ...asked, limit: String(PAGE) } }, { signal })
      return { entries: entries.map((entry) => ({ ...entry, path: parseFilePath(entry.path) })), next }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Another tab or person may have changed it.
    refetchOnWindowFocus: 'always',
  })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchNextPageError } = query
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries), [data])
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  return { entries, pages: data?.pages.length ?? 0, error, refetch, hasMore: hasNextPage && !isFetchNextPageError, loadMore }
}

export interface Restoration {
  readonly replace?: boolean
  /** Under a free name if its own is taken. */
  readonly rename?: boolean
  /** Instead of where it was. */
  readonly to?: FilePath
}

/** Fails with `already-exists` if the name is taken. @param operation the gesture @returns where it is now */
export async function restoreTrashed(
  queries: QueryClient,
  { id }: Trashed,
  { to, ...options }: Restoration,
  operation: string,
): Promise<FilePath> {
  const { path } = await client.trash.restore({ params: { id }, body: { ...options, ...(to !== undefined && { to }) } }, { operation })
  hideTrashed(queries, id)
  const restored = parseFilePath(path)
  void invalidateParents(queries, [restored])
  return restored
}

/** Deletes something for good; it counts as success if it has gone already. */
export async function removeTrashed(queries: QueryClient, { id }: Trashed): Promise<void> {
  await unlessGone(client.trash.remove({ params: { id } }))
  hideTrashed(queries, id)
}

/** Empties the trash in a job. */
export async function emptyTrash(queries: QueryClient, { all }: { all: boolean }): Promise<{ ended: Promise<Job | null> }> {
  const { job } = await client.trash.empty({ query: all ? { all: 'true' } : {} })
  return followJob(queries, job)
}

/** Reads the lists again, after changes. */
export function refreshTrash(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: LIST_KEY })
}

/** At once; the lists are read again when all is done. */
function hideTrashed(queries: QueryClient, id: string): void {
  queries.setQueriesData<InfiniteData<Page, string | null>>(
    { queryKey: LIST_KEY },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, entries: page.entries.filter((entry) => entry.id !== id) })) },
  )
}
