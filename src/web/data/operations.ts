import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Job } from '../../shared/contract/jobs.ts'
import { operations, type Undone } from '../../shared/contract/operations.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { refreshFolders } from './folders.ts'
import { followJob } from './jobs.ts'
import { QUOTAS_KEY, TRASH_KEY } from './query.ts'
import { CURRENT_VIEWING } from './share-context.ts'
import { toldRestored } from './versions.ts'

const client = clientFor({ operations })

/** What can be taken back, and done again. Out of date after each gesture, also of another tab. */
export const latestQuery = queryOptions({
  queryKey: ['operations', 'latest'] as const,
  // Somebody who looks as another has done nothing there.
  queryFn: ({ signal }) => (CURRENT_VIEWING === null ? client.operations.latest({}, { signal }) : { undo: null, redo: null }),
  staleTime: 0,
})

/** The same as far as this page knows it, which is told whenever that changes: for menus, which open at once. Asks nobody. */
export function useKnownLatest() {
  return useQuery({ ...latestQuery, enabled: false }).data
}

/** What was tried: by item, or by a job for many changes (null if it was removed before its end was seen). */
export type Reverted = { readonly items: Undone['items'] } | { readonly job: Job | null }

/** Takes a gesture back, or does it again, as far as possible: see the result. Fails if the server could not be asked. */
export async function revert(queries: QueryClient, call: 'undo' | 'redo', group: string): Promise<Reverted> {
  const { items, job } = await client.operations[call]({ params: { group } })
  const result = job === null ? { items } : { job: await (await followJob(queries, job)).ended }
  for (const path of replaced(items)) toldRestored(queries, path)
  void queries.invalidateQueries({ queryKey: TRASH_KEY })
  void queries.invalidateQueries({ queryKey: QUOTAS_KEY })
  await refreshFolders(queries)
  return result
}

function replaced(items: Undone['items']): FilePath[] {
  return items.flatMap(({ kind, path, outcome }) =>
    kind === 'replace' && outcome === 'done' && path !== null ? [parseFilePath(path)] : [],
  )
}
