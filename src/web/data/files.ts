import type { QueryClient } from '@tanstack/react-query'
import { type Checksum, resources, TRASHED_HEADER } from '../../shared/contract/resources.ts'
import { encodeFilePath, type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { Job } from '../../shared/contract/jobs.ts'
import { clientFor } from './client.ts'
import { updateFolder, removeSubtreeQueries, invalidateParents } from './folders.ts'
import { startJob } from './jobs.ts'
import { QUOTAS_KEY, TRASH_KEY } from './query.ts'
import { withRefetchPaused } from './refetch-gate.ts'
import { withRenamedEntry, withoutEntries } from './listing.ts'
import { trackPending } from './pending-paths.ts'
import { runEach } from './run-each.ts'

const client = clientFor({ resources })

/** The result of an operation on several entries. */
export interface OperationResult {
  readonly done: readonly FilePath[]
  readonly failed: readonly { readonly path: FilePath; readonly error: unknown }[]
}

/** The result of a deletion. */
export interface DeletionResult extends OperationResult {
  /** The deleted entries that can be restored. */
  readonly kept: readonly FilePath[]
}

/** A copy or move of one entry: `override` replaces an existing entry, `rename` chooses a free name. */
export interface Transfer {
  readonly from: FilePath
  readonly to: FilePath
  readonly override: boolean
  readonly rename: boolean
}

/** Creates an empty folder; does nothing if it exists. @param operation the gesture, as below */
export async function makeFolder(queries: QueryClient, path: FilePath, operation: string): Promise<void> {
  await client.resources.upload({ params: { path, slash: true }, query: {}, body: '' }, { operation })
  await invalidateParents(queries, [path])
}

/** Creates an empty file. Fails with `already-exists`. */
export async function makeFile(queries: QueryClient, path: FilePath, operation: string): Promise<void> {
  await client.resources.upload({ params: { path }, query: {}, body: '' }, { operation })
  await invalidateParents(queries, [path])
}

/** Renames optimistically and rolls back on failure. */
export function renameEntry(queries: QueryClient, path: FilePath, name: string, operation: string): Promise<void> {
  return withRefetchPaused(async () => {
    const to = joinPath(parentOf(path), name)
    const rollback = updateFolder(queries, parentOf(path), (listing) => withRenamedEntry(listing, nameOf(path), name))
    try {
      await trackPending(to, transferOne('rename', { from: path, to, override: false, rename: false }, operation))
      removeSubtreeQueries(queries, [path])
    } catch (error) {
      rollback()
      throw error
    } finally {
      void invalidateParents(queries, [path])
    }
  })
}

/**
 * Deletes optimistically; entries that the server does not delete reappear. Never fails: see the result.
 * @param options.permanent without the trash
 */
export function removeEntries(
  queries: QueryClient,
  paths: readonly FilePath[],
  operation: string,
  { permanent = false }: { permanent?: boolean } = {},
): Promise<DeletionResult> {
  return withRefetchPaused(async () => {
    const rollback = hideEntries(queries, paths)
    const query = permanent ? { permanent: 'true' } : {}
    const kept = new Set<FilePath>()
    const outcome = await each(paths, async (path) => {
      const answer = await client.resources.remove({ params: { path }, query }, { operation })
      if (answer.headers.has(TRASHED_HEADER)) kept.add(path)
    })
    removeSubtreeQueries(queries, outcome.done)
    if (outcome.failed.length > 0) rollback()
    void queries.invalidateQueries({ queryKey: TRASH_KEY })
    void queries.invalidateQueries({ queryKey: QUOTAS_KEY })
    await invalidateParents(queries, paths)
    return { ...outcome, kept: outcome.done.filter((path) => kept.has(path)) }
  })
}

/** One request per entry, a few in parallel. Moved entries disappear at once. Never fails: see the result. */
export function transferEntries(
  queries: QueryClient,
  kind: 'copy' | 'move',
  transfers: readonly Transfer[],
  operation: string,
): Promise<OperationResult> {
  return withRefetchPaused(async () => {
    const sources = transfers.map(({ from }) => from)
    const rollback = kind === 'move' ? hideEntries(queries, sources) : () => undefined
    const bySource = new Map(transfers.map((transfer) => [transfer.from, transfer]))
    const outcome = await each(sources, async (path) => {
      const transfer = bySource.get(path)
      if (transfer) await transferOne(kind === 'copy' ? 'copy' : 'rename', transfer, operation)
    })
    if (kind === 'move') removeSubtreeQueries(queries, outcome.done)
    removeSubtreeQueries(
      queries,
      transfers.map(({ to }) => to),
    )
    if (outcome.failed.length > 0) rollback()
    await invalidateParents(queries, [...sources, ...transfers.map(({ to }) => to)])
    return outcome
  })
}

/**
 * Starts a job for a long transfer, which continues when the page is closed. Moved entries disappear at once and reappear if they were not moved.
 * Fails if the server rejects the job.
 * @returns the finished job; null if it is unknown
 */
export async function startTransferJob(
  queries: QueryClient,
  kind: 'copy' | 'move',
  transfers: readonly Transfer[],
  operation: string,
): Promise<{ ended: Promise<Job | null> }> {
  const sources = transfers.map(({ from }) => from)
  const places = transfers.map(({ to }) => to)
  const rollback = kind === 'move' ? hideEntries(queries, sources) : () => undefined
  const items = transfers.map(({ from, to, override, rename }) => ({ from, to, replace: override, rename }))
  const { ended } = await startJob(queries, { kind, items }, operation).catch((error: unknown) => {
    rollback()
    throw error
  })
  const settled = ended.then(async (job) => {
    if (job?.state !== 'done') rollback()
    removeSubtreeQueries(queries, kind === 'move' ? [...sources, ...places] : places)
    await invalidateParents(queries, [...sources, ...places])
    return job
  })
  return { ended: settled }
}

export async function checksumOf(path: FilePath, algorithm: Checksum, options: { signal?: AbortSignal } = {}): Promise<string | null> {
  const answer = await client.resources.get({ params: { path }, query: { checksum: algorithm } }, options)
  return 'checksums' in answer ? (answer.checksums?.[algorithm] ?? null) : null
}

/** As in File Browser's API, the destination is encoded twice: as a path and as a query parameter. */
async function transferOne(action: 'copy' | 'rename', { from, to, override, rename }: Transfer, operation: string): Promise<void> {
  const query = { action, destination: encodeFilePath(to), override: String(override), rename: String(rename) }
  await client.resources.transfer({ params: { path: from }, query }, { operation })
}

function hideEntries(queries: QueryClient, paths: readonly FilePath[]): () => void {
  const takeBacks = [...Map.groupBy(paths, parentOf)].map(([folder, gone]) =>
    updateFolder(queries, folder, (listing) => withoutEntries(listing, new Set(gone.map(nameOf)))),
  )
  return () => takeBacks.forEach((rollback) => rollback())
}

async function each(paths: readonly FilePath[], operation: (path: FilePath) => Promise<unknown>): Promise<OperationResult> {
  const { done, failed } = await runEach(paths, operation)
  return { done, failed: failed.map(({ item, error }) => ({ path: item, error })) }
}
