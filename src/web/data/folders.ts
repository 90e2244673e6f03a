import { CancelledError, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { create } from 'zustand'
import { resources, type Rows } from '../../shared/contract/resources.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { takePrefetched } from './prefetch.ts'
import { SHARES_KEY } from './shared-paths.ts'
import { FAVOURITES_KEY } from './query.ts'
import { mediaFile } from './neighbours.ts'
import { indexOfName, isSameResource, type Listing, listingFrom, type Resource } from './listing.ts'
import { updateOptimistically } from './optimistic.ts'
import { readRows } from './rows.ts'

const client = clientFor({ resources })

/** How long the previous resource stays visible while the next one loads. */
const KEEP_PREVIOUS_MS = 150

/** The first rows of a long folder that is still loading. */
const useFirstRows = create<Listing | null>(() => null)

/** The resource at `path`: a folder as columns in the user's saved order, or a file. */
export function resourceQuery(path: FilePath) {
  return queryOptions({
    queryKey: ['folder', path] as const,
    queryFn: async ({ signal }): Promise<Resource> => {
      const onFirstRows = (rows: Rows) => {
        if (!signal.aborted) useFirstRows.setState(listingFrom(rows, path), true)
      }
      const answer = (await takePrefetched(path, { onFirstRows })) ?? (await readRows(client, path, { signal, onFirstRows }))
      return answer.kind === 'rows' ? listingFrom(answer, path) : answer
    },
    // Keep the reference if nothing changed, so that nothing renders again.
    structuralSharing: (before, now) => (isResource(before) && isResource(now) && isSameResource(before, now) ? before : now),
    // A file can be large, or be edited.
    refetchOnWindowFocus: (query) => query.state.data?.kind === 'folder',
  })
}

/**
 * The resource at `path`. While it loads, the previous one stays for 150 ms so that a quick response replaces it in one step; then it is null. Long
 * folders show their first rows before they are complete (`isComplete`); a neighbouring media file is shown from its folder's data at once. Never
 * suspends, because a router transition would keep the previous page. Errors go to the error boundary.
 */
export function useResource(path: FilePath): { place: Resource | null; late: boolean } {
  const { data } = useQuery({ ...resourceQuery(path), throwOnError: (_, query) => query.state.data === undefined })
  const [last, setLast] = useState<Resource | null>(null)
  const [lateFor, setLateFor] = useState<FilePath | null>(null)
  if (data !== undefined && data !== last) setLast(data)
  const waiting = data === undefined
  // Runs after a delay.
  useEffect(() => {
    if (!waiting) return setLateFor(null)
    const timer = setTimeout(() => setLateFor(path), KEEP_PREVIOUS_MS)
    return () => clearTimeout(timer)
  }, [waiting, path])
  const late = waiting && lateFor === path
  const beside = useSiblingPlaceholder(waiting && last?.kind === 'file' ? path : null)
  const beginning = useFirstRows((listing) => (waiting && listing?.path === path ? listing : null))
  // Cleared when the next request ends.
  useEffect(() => () => useFirstRows.setState(null, true), [waiting, path])
  return { place: data ?? beside ?? beginning ?? (late ? null : last), late }
}

function useSiblingPlaceholder(path: FilePath | null): Resource | null {
  const queries = useQueryClient()
  return useMemo(() => {
    const folder = path && queries.getQueryData(resourceQuery(parentOf(path)).queryKey)
    return path && folder?.kind === 'folder' ? mediaFile(folder, path) : null
  }, [queries, path])
}

/** The folder at `path`; null while it loads and if it does not exist. Does not fetch without a path. */
export function useFolder(path: FilePath | null): { folder: Listing | null; error: unknown } {
  const { data, error } = useQuery({ ...resourceQuery(path ?? ROOT), enabled: path !== null })
  if (path === null) return { folder: null, error: null }
  return { folder: data?.kind === 'folder' ? data : null, error }
}

/** Reads a folder from the server, ignoring the cache. */
export async function readFolder(queries: QueryClient, path: FilePath): Promise<Listing | null> {
  const place = await readResource(queries, path)
  return place.kind === 'folder' ? place : null
}

/** Reads a folder or file from the server, ignoring the cache. */
export async function readResource(queries: QueryClient, path: FilePath): Promise<Resource> {
  const read = () => queries.fetchQuery({ ...resourceQuery(path), staleTime: 0 })
  try {
    return await read()
  } catch (error) {
    // It shared the request of a screen that has closed meanwhile.
    if (error instanceof CancelledError) return read()
    throw error
  }
}

/** Invalidates the listings that contain these entries. */
export async function invalidateParents(queries: QueryClient, paths: readonly FilePath[]): Promise<void> {
  const around = new Set(paths.map(parentOf))
  // Favourites and shares follow moved entries.
  void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  void queries.invalidateQueries({ queryKey: SHARES_KEY })
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => {
      const path = pathOfKey(queryKey)
      return path !== null && around.has(path)
    },
  })
}

/** Invalidates everything that may show what was changed somewhere; waits for what is on the screen. */
export async function refreshFolders(queries: QueryClient): Promise<void> {
  void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  void queries.invalidateQueries({ queryKey: SHARES_KEY })
  await queries.invalidateQueries({ predicate: ({ queryKey }) => pathOfKey(queryKey) !== null })
}

/** Removes cached queries of these paths and everything below. */
export function removeSubtreeQueries(queries: QueryClient, paths: readonly FilePath[]): void {
  queries.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => {
      const known = pathOfKey(queryKey)
      return known !== null && paths.some((path) => isWithin(known, path))
    },
  })
}

/** Shows a folder as it will be once an operation has succeeded. @returns rolls back this change only */
export function updateFolder(queries: QueryClient, path: FilePath, change: (listing: Listing) => Listing): () => void {
  return updateOptimistically<Resource>(queries, resourceQuery(path).queryKey, (resource) =>
    resource.kind === 'folder' ? change(resource) : resource,
  )
}

function pathOfKey(key: readonly unknown[]): FilePath | null {
  // Only `resourceQuery` above makes keys that start with `folder`.
  return key[0] === 'folder' && typeof key[1] === 'string' ? (key[1] as FilePath) : null
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** A check whether a name exists in a folder, as far as its listing is loaded. */
export function nameChecker(queries: QueryClient, folder: FilePath): (name: string) => boolean {
  return (name) => {
    const place = queries.getQueryData(resourceQuery(folder).queryKey)
    return place?.kind === 'folder' && indexOfName(place, name) !== null
  }
}
