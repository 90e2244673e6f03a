import { mutationOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { favourites, type RecentAction, type RecentFile } from '../../shared/contract/favourites.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { MAX_RECENT } from '../../shared/limits.ts'
import { clientFor, unlessGone } from './client.ts'
import { updateOptimistically } from './optimistic.ts'
import { useSession } from './session.ts'
import { IS_ELSEWHERE } from './share-context.ts'

const client = clientFor({ places: favourites })

/** Query key. */
export const RECENT_KEY = ['recent'] as const

/** A recently used file. */
export interface RecentEntry extends Omit<RecentFile, 'path'> {
  readonly path: FilePath
}

const recentQuery = queryOptions({
  queryKey: RECENT_KEY,
  queryFn: async ({ signal }): Promise<RecentEntry[]> => {
    await sendVisits()
    return (await client.places.recent({}, { signal })).map((file) => ({ ...file, path: parseFilePath(file.path) }))
  },
  staleTime: 0,
})

/** Recently used files, newest first; undefined while loading. */
export function useRecentFiles() {
  return useQuery(recentQuery)
}

/** Mutation that removes a file from the list, optimistically. */
export function removingRecent(queries: QueryClient) {
  return mutationOptions({
    async mutationFn({ path }: RecentEntry) {
      await sendVisits()
      await unlessGone(client.places.leave({ params: { path } }))
    },
    onMutate: ({ path }) => updateOptimistically<RecentEntry[]>(queries, RECENT_KEY, (files) => files.filter((file) => file.path !== path)),
    onError(_error, _file, rollback) {
      rollback?.()
      void queries.invalidateQueries({ queryKey: RECENT_KEY })
    },
  })
}

/** Mutation that restores a file to its position in the list. */
export function restoringRecent(queries: QueryClient) {
  return mutationOptions({
    mutationFn: ({ path, how, at }: RecentEntry) => client.places.visit({ body: { files: [{ path, how, at }] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: RECENT_KEY }),
  })
}

export function clearingRecent(queries: QueryClient) {
  return mutationOptions({
    async mutationFn() {
      await sendVisits()
      await client.places.forget({})
    },
    onSuccess: () => queries.setQueryData(RECENT_KEY, []),
  })
}

const SEND_AFTER_MS = 500
const unsentVisits = new Map<FilePath, RecentAction>()
let timer: ReturnType<typeof setTimeout> | undefined
let sending: Promise<void> = Promise.resolve()

/** Records that the user opened or wrote a file; the server decides whether to keep it. Visits are sent in batches, each file once. */
export function recordVisit(path: FilePath, how: RecentAction): void {
  if (IS_ELSEWHERE) return
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
