import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { href } from '../../shared/contract/endpoint.ts'
import type { Job } from '../../shared/contract/jobs.ts'
import { type PastEntry, snapshots } from '../../shared/contract/snapshots.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address, clientFor } from './client.ts'
import { readFolder } from './folders.ts'
import { followJob } from './jobs.ts'
import { entryOf, indexOfNames, type ListedEntry } from './listing.ts'

const client = clientFor({ snapshots })

/** A moment at which the disk kept everything. */
export interface Moment {
  readonly id: string
  readonly name: string
  readonly at: Date
}

/** Snapshots that have a folder, the newest first. */
export function momentsQuery(folder: FilePath) {
  return queryOptions({
    queryKey: ['snapshots', folder] as const,
    queryFn: async ({ signal }) => {
      const { snapshots: all, unknown } = await client.snapshots.list({ params: { path: folder } }, { signal })
      return { moments: all.map(({ at, ...one }): Moment => ({ ...one, at: new Date(at) })), unknown }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** A folder as it was, compared with now. */
export function pastFolderQuery(folder: FilePath, id: string) {
  return queryOptions({
    queryKey: ['snapshots', folder, id] as const,
    queryFn: ({ signal }) => client.snapshots.entries({ params: { path: folder }, query: { id } }, { signal }),
    // What is compared with it changes.
    staleTime: 0,
    gcTime: 0,
  })
}

/** A file as it was, or a folder as a zip archive; authenticated by the cookie. */
export function pastAddress(path: FilePath, { id, isDir }: { id: string; isDir: boolean }): string {
  return address(href(snapshots.raw, { params: { path }, query: { id, raw: '1', ...(isDir && { algo: 'zip' }) } }))
}

/** What has a name in a folder now; null if nothing. */
export async function entryNow(queries: QueryClient, folder: FilePath, name: string): Promise<ListedEntry | null> {
  const listing = await readFolder(queries, folder)
  const index = listing === null ? null : indexOfNames(listing)(name)
  return listing === null || index === null ? null : entryOf(listing, index)
}

export interface RestoreOptions {
  readonly replace: boolean
  readonly rename: boolean
}

/** Copies an entry from a snapshot to where it was. @returns the job when it has ended; null if it was removed before */
export async function restorePast(
  queries: QueryClient,
  { id, path }: { id: string; path: FilePath },
  options: RestoreOptions,
): Promise<Job | null> {
  const { job } = await client.snapshots.restore({ body: { id, items: [{ from: path, to: path, ...options }] } })
  const ended = await (await followJob(queries, job)).ended
  await queries.invalidateQueries({ queryKey: ['snapshots'] })
  return ended
}

export type { PastEntry }
