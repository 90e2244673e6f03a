import type { QueryClient } from '@tanstack/react-query'
import { type Checksum, resources } from '../../shared/contract/resources.ts'
import { encodeFilePath, type FilePath, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { Job } from '../../shared/contract/jobs.ts'
import { clientFor } from './client.ts'
import { updateFolder, removeSubtreeQueries, invalidateParents } from './folders.ts'
import { startJob } from './jobs.ts'
import { withRefetchPaused } from './refetch-gate.ts'
import { withRenamedEntry, withoutEntries } from './listing.ts'
import { trackPending } from './pending-paths.ts'

const client = clientFor({ resources })

/** What became of a deed on several entries. */
export interface OperationResult {
  readonly done: readonly FilePath[]
  readonly failed: readonly { readonly path: FilePath; readonly error: unknown }[]
}

/** One entry on its way: `override` takes the place of what is there, `rename` finds a free name. */
export interface Transfer {
  readonly from: FilePath
  readonly to: FilePath
  readonly override: boolean
  readonly rename: boolean
}

const CONCURRENCY = 4

/** Makes an empty folder. Folders that are there already are left as they are. */
export async function makeFolder(queries: QueryClient, path: FilePath): Promise<void> {
  await client.resources.upload({ params: { path, slash: true }, query: {}, body: '' })
  await invalidateParents(queries, [path])
}

/** Makes an empty file. Fails with `already-exists`. */
export async function makeFile(queries: QueryClient, path: FilePath): Promise<void> {
  await client.resources.upload({ params: { path }, query: {}, body: '' })
  await invalidateParents(queries, [path])
}

/** The row has its new name at once, and the old one again should the server refuse. */
export function renameEntry(queries: QueryClient, path: FilePath, name: string): Promise<void> {
  return withRefetchPaused(async () => {
    const to = joinPath(parentOf(path), name)
    const rollback = updateFolder(queries, parentOf(path), (listing) => withRenamedEntry(listing, nameOf(path), name))
    try {
      await trackPending(to, transferOne('rename', { from: path, to, override: false, rename: false }))
      removeSubtreeQueries(queries, [path])
    } catch (error) {
      rollback()
      throw error
    } finally {
      void invalidateParents(queries, [path])
    }
  })
}

/** The rows go at once; those that the server would not delete come back. Never fails: the outcome tells. */
export function removeEntries(queries: QueryClient, paths: readonly FilePath[]): Promise<OperationResult> {
  return withRefetchPaused(async () => {
    const rollback = hideEntries(queries, paths)
    const outcome = await each(paths, (path) => client.resources.remove({ params: { path } }))
    removeSubtreeQueries(queries, outcome.done)
    if (outcome.failed.length > 0) rollback()
    await invalidateParents(queries, paths)
    return outcome
  })
}

/** One call for each entry, a few at a time. Moved rows go at once. Never fails: the outcome tells. */
export function transferEntries(queries: QueryClient, kind: 'copy' | 'move', transfers: readonly Transfer[]): Promise<OperationResult> {
  return withRefetchPaused(async () => {
    const sources = transfers.map(({ from }) => from)
    const rollback = kind === 'move' ? hideEntries(queries, sources) : () => undefined
    const bySource = new Map(transfers.map((transfer) => [transfer.from, transfer]))
    const outcome = await each(sources, async (path) => {
      const transfer = bySource.get(path)
      if (transfer) await transferOne(kind === 'copy' ? 'copy' : 'rename', transfer)
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
 * Long ones, done by the server also when this page is closed. Moved rows go at once, and come back with what did not go. Fails where it is known
 * at once that it would.
 * @returns how it ended; null where nobody remembers
 */
export async function startTransferJob(
  queries: QueryClient,
  kind: 'copy' | 'move',
  transfers: readonly Transfer[],
): Promise<{ ended: Promise<Job | null> }> {
  const sources = transfers.map(({ from }) => from)
  const places = transfers.map(({ to }) => to)
  const rollback = kind === 'move' ? hideEntries(queries, sources) : () => undefined
  const items = transfers.map(({ from, to, override, rename }) => ({ from, to, replace: override, rename }))
  const { ended } = await startJob(queries, { kind, items }).catch((error: unknown) => {
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

/** The predecessor's clients encode a destination as a path and then as a parameter, and the server undoes both. */
async function transferOne(action: 'copy' | 'rename', { from, to, override, rename }: Transfer): Promise<void> {
  const query = { action, destination: encodeFilePath(to), override: String(override), rename: String(rename) }
  await client.resources.transfer({ params: { path: from }, query })
}

function hideEntries(queries: QueryClient, paths: readonly FilePath[]): () => void {
  const takeBacks = [...Map.groupBy(paths, parentOf)].map(([folder, gone]) =>
    updateFolder(queries, folder, (listing) => withoutEntries(listing, new Set(gone.map(nameOf)))),
  )
  return () => takeBacks.forEach((rollback) => rollback())
}

async function each(paths: readonly FilePath[], deed: (path: FilePath) => Promise<unknown>): Promise<OperationResult> {
  const done: FilePath[] = []
  const failed: { path: FilePath; error: unknown }[] = []
  const queue = paths.values()
  const work = async () => {
    for (const path of queue) {
      try {
        await deed(path)
        done.push(path)
      } catch (error) {
        failed.push({ path, error })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, paths.length) }, work))
  return { done, failed }
}
