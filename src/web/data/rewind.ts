import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Job } from '../../shared/contract/jobs.ts'
import { rewind, type RewindChange } from '../../shared/contract/operations.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { clientFor } from './client.ts'
import { followJob } from './jobs.ts'

const client = clientFor({ rewind })

/** Before everything that is known. */
export const BEGINNING = '1970-01-01T00:00:00Z'

/** Where to bring a folder back to. */
export interface RewindTarget {
  readonly path: FilePath
  /** ISO 8601: what was done later is undone. */
  readonly to: string
  /** Only what this user did; empty for everybody. */
  readonly by: string
}

/** One change that a rewind would make, with its paths parsed. */
export interface PlannedChange extends Omit<RewindChange, 'path' | 'to'> {
  readonly path: FilePath
  readonly to: FilePath | null
}

/** What a rewind would change. */
export function rewindQuery({ path, to, by }: RewindTarget) {
  return queryOptions({
    queryKey: ['rewind', path, to, by] as const,
    queryFn: async ({ signal }) => {
      const { changes, ...rest } = await client.rewind.preview({ query: { path, to, ...(by !== '' && { by }) } }, { signal })
      const parsed = changes.map((change): PlannedChange => ({
        ...change,
        path: parseFilePath(change.path),
        to: change.to === null ? null : parseFilePath(change.to),
      }))
      return { ...rest, changes: parsed }
    },
    placeholderData: keepPreviousData,
    // Somebody may have changed something since.
    staleTime: 0,
    gcTime: 0,
  })
}

/** Starts a rewind. @returns the gesture that it is, and its job when it has ended */
export async function startRewind(
  queries: QueryClient,
  { path, to, by }: RewindTarget,
): Promise<{ group: string; ended: Promise<Job | null> }> {
  const { job, group } = await client.rewind.apply({ body: { path, to, ...(by !== '' && { by }) } })
  return { group, ...(await followJob(queries, job)) }
}
