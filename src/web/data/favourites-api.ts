import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { favourites, type RecentAction, type RecentFile } from '../../shared/contract/favourites.ts'
import { isAppError } from '../../shared/errors.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { MAX_RECENT } from '../../shared/limits.ts'
import { clientFor } from './client.ts'
import { useSession } from './session.ts'
import { type Favourites, FAVOURITES_KEY, type FavouriteEntry } from './favourite-entry.ts'

const client = clientFor({ places: favourites })

/** A file that somebody had lately. */
export interface RecentEntry extends Omit<RecentFile, 'path'> {
  readonly path: FilePath
}

export function readFavourites(signal: AbortSignal) {
  return client.places.mine({}, { signal })
}

/** Gives a star, or takes it away; it is seen at once, and goes back should the server refuse. Fails with the first refusal. */
export function setStarred(queries: QueryClient, entries: readonly FavouriteEntry[], starred: boolean): Promise<void> {
  const paths = new Set(entries.map(({ path }) => path))
  const expected = (now: Favourites): Favourites => {
    const rest = now.favourites.filter(({ path }) => !paths.has(path))
    const had = new Set(now.favourites.map(({ path }) => path))
    return { ...now, favourites: starred ? [...now.favourites, ...entries.filter(({ path }) => !had.has(path))] : rest }
  }
  return change(queries, expected, async () => {
    // One after the other: the order in which they come is the order in which they stand.
    for (const path of paths) {
      if (starred) await client.places.star({ params: { path } })
      else await unstar(path)
    }
  })
}

/** What is no longer there has no star any more. */
async function unstar(path: FilePath): Promise<void> {
  try {
    await client.places.unstar({ params: { path } })
  } catch (error) {
    if (!isAppError(error, 'not-found')) throw error
  }
}

/** Puts all favourites into this order. */
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

/** Files that this person had lately, the newest first; undefined until they are here. */
export function useRecentFiles() {
  return useQuery(recentQuery())
}

/** With `false` the server forgets them, and remembers none from now on. */
export async function setKeepRecent(queries: QueryClient, keep: boolean): Promise<void> {
  const expected = (now: Favourites): Favourites => ({ ...now, keepsRecent: keep })
  try {
    await change(queries, expected, () => client.places.keep({ body: { keep } }))
  } finally {
    void queries.invalidateQueries({ queryKey: recentQuery().queryKey })
  }
}

/** Takes a file off the list; it is seen at once, and goes back should the server refuse. */
export async function removeRecent(queries: QueryClient, path: FilePath): Promise<void> {
  const { queryKey } = recentQuery()
  await sendVisits()
  await queries.cancelQueries({ queryKey })
  queries.setQueryData(queryKey, (now) => now?.filter((file) => file.path !== path))
  try {
    await client.places.leave({ params: { path } })
  } catch (error) {
    // What is no longer there is on no list.
    if (isAppError(error, 'not-found')) return
    void queries.invalidateQueries({ queryKey })
    throw error
  }
}

/** Puts a file back on the list, where it was. */
export async function restoreRecent(queries: QueryClient, { path, how, at }: RecentEntry): Promise<void> {
  await client.places.visit({ body: { files: [{ path, how, at }] } })
  await queries.invalidateQueries({ queryKey: recentQuery().queryKey })
}

export async function clearRecent(queries: QueryClient): Promise<void> {
  await sendVisits()
  await client.places.forget({})
  queries.setQueryData(recentQuery().queryKey, [])
}

/** Changes leave one after the other, so that the last choice is the last on the server too. */
let queue: Promise<unknown> = Promise.resolve()
let running = 0

async function change(queries: QueryClient, expected: (now: Favourites) => Favourites, call: () => Promise<void>): Promise<void> {
  void queries.cancelQueries({ queryKey: FAVOURITES_KEY })
  queries.setQueryData<Favourites>(FAVOURITES_KEY, (now) => now && expected(now))
  running += 1
  const mine = queue.then(call)
  queue = mine.catch(() => undefined)
  try {
    await mine
  } finally {
    running -= 1
    // What the server says while another change is on its way is older than what is on show.
    if (running === 0) void queries.invalidateQueries({ queryKey: FAVOURITES_KEY })
  }
}

const SEND_AFTER_MS = 500
const unsentVisits = new Map<FilePath, RecentAction>()
let timer: ReturnType<typeof setTimeout> | undefined
let sending: Promise<void> = Promise.resolve()

/** Visits that come together are told of together, each file once. */
export function recordVisit(path: FilePath, how: RecentAction): void {
  unsentVisits.delete(path)
  unsentVisits.set(path, how)
  timer ??= setTimeout(() => void sendVisits(), SEND_AFTER_MS)
}

/** Everything that was noted has been told. Never fails: a list that lacks a file is no failure of what was done with it. */
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

// What one person had is not told in the name of the next, who may have come by another tab.
useSession.subscribe((now, before) => now.user?.id !== before.user?.id && unsentVisits.clear())

// Whoever leaves the page leaves nothing unsaid.
addEventListener('pagehide', () => void sendVisits({ leaving: true }))
