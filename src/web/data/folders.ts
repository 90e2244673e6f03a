import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { create } from 'zustand'
import { resources, type Rows } from '../../shared/contract/resources.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { takePrefetched } from './prefetch.ts'
import { SHARES_KEY } from './shared-paths.ts'
import { FAVOURITES_KEY } from './favourite-entry.ts'
import { mediaFile } from './neighbours.ts'
import { indexOfName, isSameResource, type Listing, listingFrom, type Resource } from './listing.ts'
import { readRows } from './rows.ts'

const client = clientFor({ resources })

/** How long the former place stays on show before a wait is admitted. */
const KEEP_PREVIOUS_MS = 150

/** The first rows of the long folder that is on its way: what somebody sees of it until it is here. */
const useFirstRows = create<Listing | null>(() => null)

/** What is at `path`: a folder as columns in the person's saved order, or a file. */
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
    // An answer that says the same again draws nothing again.
    structuralSharing: (before, now) => (isResource(before) && isResource(now) && isSameResource(before, now) ? before : now),
    // A file may be large, and may be under somebody's hands.
    refetchOnWindowFocus: (query) => query.state.data?.kind === 'folder',
  })
}

/**
 * What is at `path`. While it is on its way the former place stays for 150 ms, so that a quick answer replaces it in one step; after that it is
 * null, and so it is at the start. Of a long folder the first rows are there before it is whole (`isWhole`), and from one file to a medium beside it
 * nobody waits: what their folder tells of it is there at once. It never suspends: a transition of the router would hold the former page for as
 * long as the wait takes. Fails towards the error boundary.
 */
export function useResource(path: FilePath): { place: Resource | null; late: boolean } {
  const { data } = useQuery({ ...resourceQuery(path), throwOnError: (_, query) => query.state.data === undefined })
  const [last, setLast] = useState<Resource | null>(null)
  const [lateFor, setLateFor] = useState<FilePath | null>(null)
  if (data !== undefined && data !== last) setLast(data)
  const waiting = data === undefined
  // Talks to the clock.
  useEffect(() => {
    if (!waiting) return setLateFor(null)
    const timer = setTimeout(() => setLateFor(path), KEEP_PREVIOUS_MS)
    return () => clearTimeout(timer)
  }, [waiting, path])
  const late = waiting && lateFor === path
  const beside = useSiblingPlaceholder(waiting && last?.kind === 'file' ? path : null)
  const beginning = useFirstRows((listing) => (waiting && listing?.path === path ? listing : null))
  // Comes again with the next reading.
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

/** The folder at `path`, for those who can wait; null while it comes and where there is none. Nothing is asked where there is no path. */
export function useFolder(path: FilePath | null): { folder: Listing | null; error: unknown } {
  const { data, error } = useQuery({ ...resourceQuery(path ?? ROOT), enabled: path !== null })
  if (path === null) return { folder: null, error: null }
  return { folder: data?.kind === 'folder' ? data : null, error }
}

/** Reads a folder anew, for a decision that must not rest on yesterday's listing. */
export async function readFolder(queries: QueryClient, path: FilePath): Promise<Listing | null> {
  const place = await queries.fetchQuery({ ...resourceQuery(path), staleTime: 0 })
  return place.kind === 'folder' ? place : null
}

/** The listings that a change of these entries makes stale: those around them, and everything below. */
export async function invalidateParents(queries: QueryClient, paths: readonly FilePath[]): Promise<void> {
  const around = new Set(paths.map(parentOf))
  // A star goes along with what has moved, and so does a link.
  void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  void queries.invalidateQueries({ queryKey: SHARES_KEY })
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => {
      const path = pathOfKey(queryKey)
      return path !== null && around.has(path)
    },
  })
}

/** Forgets what is no longer where it was. */
export function removeSubtreeQueries(queries: QueryClient, paths: readonly FilePath[]): void {
  queries.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => {
      const known = pathOfKey(queryKey)
      return known !== null && paths.some((path) => isWithin(known, path))
    },
  })
}

/** Shows a folder as it is about to be. @returns puts it back as it was, unless it has been read anew since */
export function updateFolder(queries: QueryClient, path: FilePath, change: (listing: Listing) => Listing): () => void {
  const { queryKey } = resourceQuery(path)
  const before = queries.getQueryData(queryKey)
  if (before?.kind !== 'folder') return () => undefined
  void queries.cancelQueries({ queryKey })
  const expected = change(before)
  queries.setQueryData(queryKey, expected)
  return () => void (queries.getQueryData(queryKey) === expected && queries.setQueryData(queryKey, before))
}

function pathOfKey(key: readonly unknown[]): FilePath | null {
  // Keys that begin with `folder` are made above, with a path.
  return key[0] === 'folder' && typeof key[1] === 'string' ? (key[1] as FilePath) : null
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** Whether a name stands in a folder, as far as this page has read it. */
export function nameChecker(queries: QueryClient, folder: FilePath): (name: string) => boolean {
  return (name) => {
    const place = queries.getQueryData(resourceQuery(folder).queryKey)
    return place?.kind === 'folder' && indexOfName(place, name) !== null
  }
}
