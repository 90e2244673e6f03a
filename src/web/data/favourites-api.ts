import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { favourites, type RecentAction, type RecentFile } from '../../shared/contract/favourites.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { MAX_RECENT } from '../../shared/limits.ts'
import { clientFor } from './client.ts'
import { updateOptimistically } from './optimistic.ts'
import { useSession } from './session.ts'
import { type Favourites, FAVOURITES_KEY, type FavouriteEntry } from './favourite-entry.ts'

const client = clientFor({ places: favourites })

/** A recently used file. */
export interface RecentEntry extends Omit<RecentFile, 'path'> {
  readonly path: FilePath
}

export function readFavourites(signal: AbortSignal) {
  return client.places.mine({}, { signal })
}

/** Adds or removes favourites optimistically and rolls back what the server rejects. Fails with the first error. */
export function setStarred(queries: QueryClient, entries: readonly FavouriteEntry[], starred: boolean): Promise<void> {
  const paths = new Set(entries.map(({ path }) => path))
  const expected = (now: Favourites): Favourites => {
    const rest = now.favourites.filter(({ path }) => !paths.has(path))
    const had = new Set(now.favourites.map(({ path }) => path))
    return { ...now, favourites: starred ? [...now.favourites, ...entries.filter(({ path }) => !had.has(path))] : rest }
  }
  return change(queries, expected, async () => {
    // Sequential, because the order of requests is the order of favourites.
    for (const path of paths) {
      if (starred) await client.places.star({ params: { path } })
      else await unstar(path)
    }
  })
}

/** A favourite that no longer exists counts as removed. */
async function unstar(path: FilePath): Promise<void> {
  try {
    await client.places.unstar({ params: { path } })
  } catch (error) {
    if (!isAppError(error, 'not-found')) throw error
  }
}

/** Reorders all favourites. */
export function reorderFavourites(queries: QueryClient, paths: readonly FilePath[]): Promise<void> {
  const place = new Map(paths.map((path, at) => [path, at]))
  const placeOf = ({ path }: FavouriteEntry) => place.get(path) ?? paths.length
  const expected = (now: Favourites): Favourites => ({ ...now, favourites: now.favourites.toSorted((a, b) => placeOf(a) - placeOf(b)) })
  return change(queries, expected, () => client.places.arrange({ body: { paths: [...paths] } }))
}

function recentQuery() {
  return queryOptions({
    queryKey: ['recent'] as const,
    queryFn: async ({ signal }): Promise<RecentEntry[]> => {
      await sendVisits()
      return (await client.places.recent({}, { signal })).map((file) => ({ ...file, path: parseFilePath(file.path) }))
    },
    staleTime: 0,
  })
}

/** Recently used files, newest first; undefined while loading. */
export function useRecentFiles() {
  return useQuery(recentQuery())
}

/** With `false`, the server deletes the list and stops recording. */
export async function setKeepRecent(queries: QueryClient, keep: boolean): Promise<void> {
  const expected = (now: Favourites): Favourites => ({ ...now, keepsRecent: keep })
  try {
    await change(queries, expected, () => client.places.keep({ body: { keep } }))
  } finally {
    void queries.invalidateQueries({ queryKey: recentQuery().queryKey })
  }
}

/** Removes a file from the list optimistically. */
export async function removeRecent(queries: QueryClient, path: FilePath): Promise<void> {
  const { queryKey } = recentQuery()
  await sendVisits()
  const rollback = updateOptimistically<RecentEntry[]>(queries, queryKey, (files) => files.filter((file) => file.path !== path))
  try {
    await client.places.leave({ params: { path } })
  } catch (error) {
    // A file that no longer exists is not in the list either.
    if (isAppError(error, 'not-found')) return
    rollback()
    void queries.invalidateQueries({ queryKey })
    throw error
  }
}

/** Restores a file to its position in the list. */
export async function restoreRecent(queries: QueryClient, { path, how, at }: RecentEntry): Promise<void> {
  await client.places.visit({ body: { files: [{ path, how, at }] } })
  await queries.invalidateQueries({ queryKey: recentQuery().queryKey })
}

export async function clearRecent(queries: QueryClient): Promise<void> {
  await sendVisits()
  await client.places.forget({})
  queries.setQueryData(recentQuery().queryKey, [])
}

/** Mutations run sequentially, so that the last choice wins on the server too. */
let queue: Promise<unknown> = Promise.resolve()
let running = 0

async function change(queries: QueryClient, expected: (now: Favourites) => Favourites, call: () => Promise<void>): Promise<void> {
  const rollback = updateOptimistically(queries, FAVOURITES_KEY, expected)
  running += 1
  const mine = queue.then(call)
  queue = mine.catch(() => undefined)
  try {
    await mine
  } catch (error) {
    rollback()
    throw error
  } finally {
    running -= 1
    // A response read while another mutation is pending would be outdated.
    if (running === 0) void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  }
}

const SEND_AFTER_MS = 500
const unsentVisits = new Map<FilePath, RecentAction>()
let timer: ReturnType<typeof setTimeout> | undefined
let sending: Promise<void> = Promise.resolve()

/** Batches visits and sends each file once. */
export function recordVisit(path: FilePath, how: RecentAction): void {
  unsentVisits.delete(path)
  unsentVisits.set(path, how)
  timer ??= setTimeout(() => void sendVisits(), SEND_AFTER_MS)
}

/** Sends the recorded visits. Never fails: a missing recent file is not worth an error. */
function sendVisits({ leaving = false } = {}): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const files = [...unsentVisits].slice(-MAX_RECENT).map(([path, how]) => ({ path, how }))
  unsentVisits.clear()
  if (files.length > 0)
    sending = sending
      .then(() => client.places.visit({ body: { files } }, { keepalive: leaving }))
      .then(
        () => undefined,
        () => undefined,
      )
  return sending
}

// Visits of one user must not be sent for the next, who may have signed in in another tab.
useSession.subscribe((now, before) => now.user?.id !== before.user?.id && unsentVisits.clear())

// Sends pending visits before the page is closed.
addEventListener('pagehide', () => void sendVisits({ leaving: true }))
