import { randomUUID } from 'node:crypto'
import { fail } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Kept, OpenFile, Stat, Storage } from '../storage/storage.ts'
import { checkpointFor, whenReady, whileAllowed } from './checkpoint.ts'
import { type DriveContext, type FoundPath, withErrorPath } from './context.ts'
import type { OperationOptions } from './operation.ts'
import { requireUtf8, withNodeLock } from './publish.ts'
import { settleFailed } from './recorded.ts'
import type { Change } from './recorder.ts'
import { requireDownload, requireRights } from './rights.ts'
import { commitAt } from './replacing.ts'
import type { Version, VersionPolicy } from './versions.ts'

/** A file with its earlier contents. */
export interface FileHistory {
  readonly current: Stat
  /** The newest first. */
  readonly versions: readonly Version[]
  readonly policy: VersionPolicy
}

export async function historyAt(context: DriveContext, path: FilePath): Promise<FileHistory> {
  using file = await findFile(context, path)
  const { node, stat } = file
  const [versions, policy] = [await context.versions.list(node), await context.versions.policy(node)]
  return { current: stat, versions, policy }
}

export async function openVersionAt(context: DriveContext, path: FilePath, id: string): Promise<OpenFile> {
  using file = await findFile(context, path)
  requireDownload(context, file)
  const { kept } = await findVersion(context, file, id)
  return await withErrorPath(path, context.storage.openKept(kept, ROOT))
}

/** @returns what was removed */
export async function removeVersionAt(context: DriveContext, path: FilePath, id: string): Promise<Version> {
  using file = await findFile(context, path)
  requireRights(context, file, ['modify', 'delete'])
  const version = await findVersion(context, file, id)
  await context.versions.remove(version)
  return version
}

/** The same node becomes the file again, in one step; a version on another disk, to which its file was moved, is copied. */
export async function restoreVersionAt(context: DriveContext, path: FilePath, id: string, { ready }: OperationOptions = {}): Promise<Stat> {
  using file = await findFile(context, path)
  requireRights(context, file, ['modify'])
  return await withNodeLock(context.storage, file.node, async () => {
    const version = await findVersion(context, file, id)
    await whenReady(context, { path, places: [file], rights: ['modify'], ready })
    return restoreInPlace(context, file, version, { asSave: true })
  })
}

interface Restoring {
  /** As of now, with the mode of the present content; otherwise with its own time and mode, as it was. */
  readonly asSave: boolean
}

/** The lock of the file is held. */
export async function restoreInPlace(context: DriveContext, file: FoundPath, version: Version, how: Restoring): Promise<Stat> {
  const { versions, storage } = context
  const { node, path } = file
  const was = how.asSave ? await storage.statKept(version.kept) : null
  const restored = { version: version.id, was: was && { mode: was.mode & 0o777, modified: was.modified } }
  const isHere = await withErrorPath(
    path,
    versions.replacing(node, (keep) => restoreHere(context, node, version, { ...how, restored, ...(keep && { keep }) })),
  )
  const stat = isHere ?? (await copyBack(context, file, version, { ...how, restored }))
  await versions.restored(version)
  return stat
}

interface RestoringHere extends Restoring {
  readonly restored: NonNullable<Change['restored']>
  readonly keep?: Kept
}

/** @returns null if the version is on another disk */
async function restoreHere(
  context: DriveContext,
  node: FilePath,
  { kept, identity }: Version,
  { asSave, keep, restored }: RestoringHere,
): Promise<Stat | null> {
  const { storage, recorder } = context
  const change = { kind: 'replace', path: node, node: { identity }, folder: false, version: keep?.id, restored } as const
  const row = await recorder.begin(change)
  try {
    const isHere = await storage.restoreKept(kept, node, { replace: true, asSave, ...(keep && { keep }) })
    const stat = isHere ? await storage.stat(node) : null
    if (stat === null) row.failed()
    else row.done(stat)
    return isHere ? (stat ?? fail('not-found', {})) : null
  } catch (error) {
    await settleFailed(context, change, { row, error })
    // What the disk says first is what counts.
    if (restored.was !== null) await resetVersion(storage, { kept, identity }, restored.was).catch(() => undefined)
    throw error
  }
}

/** A version that was to be restored as a save, and was not, may have become one already. */
export async function resetVersion(
  storage: Pick<Storage, 'statKept' | 'resetKept'>,
  { kept, identity }: Pick<Version, 'kept' | 'identity'>,
  was: { readonly mode: number; readonly modified: number },
): Promise<void> {
  if ((await storage.statKept(kept))?.identity === identity) await storage.resetKept(kept, was)
}

async function copyBack(context: DriveContext, file: FoundPath, { kept }: Version, { asSave, restored }: RestoringHere): Promise<Stat> {
  await using source = await withErrorPath(file.path, context.storage.openKept(kept, ROOT))
  const { modified, mode } = source.stat
  return await publishCopy(context, file, source, { as: asSave ? null : { modified, mode: mode & 0o777 }, restored })
}

export interface PublishCopy {
  /** Null for a save: the mode of the present content, and the time of now. */
  readonly as: { readonly mode: number; readonly modified: number } | null
  readonly restored?: Change['restored']
}

/** A copy of content that the storage has replaces a file. */
export async function publishCopy(context: DriveContext, file: FoundPath, source: OpenFile, { as, restored }: PublishCopy): Promise<Stat> {
  const { storage, versions } = context
  const { path, node } = file
  const staged = storage.stage(randomUUID(), { near: node, isNew: true })
  const checkpoint = checkpointFor(context, { needs: { place: file, rights: ['modify'] } })
  const check = (): void => void (context.verdict(file) === 'shown' || fail('not-found', { path }))
  try {
    await whileAllowed(context, { check }, ({ signal, onBlock }) =>
      staged.append(source.stream(0, source.stat.size), { signal, onBytes: onBlock }),
    )
    await checkpoint()
    check()
    const options = as ?? {}
    const commit = (keep: Kept | undefined) =>
      commitAt(context, node, staged, { how: { replace: true, ...(keep && { keep }) }, options, as: { kind: 'replace', restored } })
    return await withErrorPath(path, versions.replacing(node, commit))
  } catch (error) {
    await staged.discard().catch(() => undefined)
    throw error
  }
}

/** Only of a regular file that the viewer may see now. The caller closes it (`using`). */
export async function findFile(context: DriveContext, path: FilePath): Promise<FoundPath & { stat: Stat }> {
  const found = await context.find(requireUtf8(path), 'follow')
  const { stat } = found
  if (stat?.kind === 'file') return Object.assign(found, { stat })
  found[Symbol.dispose]()
  return fail('not-found', { path })
}

async function findVersion({ versions, storage }: DriveContext, { path, node }: FoundPath, id: string): Promise<Version> {
  const version = (await versions.find(node, id)) ?? fail('not-found', { path })
  // Somebody with access to the disk may have removed it.
  if ((await storage.statKept(version.kept)) === null) fail('not-found', { path })
  return version
}
