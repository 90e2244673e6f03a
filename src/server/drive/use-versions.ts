import { randomUUID } from 'node:crypto'
import { fail } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Kept, OpenFile, Stat } from '../storage/storage.ts'
import { checkpointFor, whenReady, whileAllowed } from './checkpoint.ts'
import { type DriveContext, type FoundPath, withErrorPath } from './context.ts'
import type { OperationOptions, RestoreVersionOptions } from './operation.ts'
import { requireUtf8, withNodeLock } from './publish.ts'
import { recorded, settleFailed } from './recorded.ts'
import { refuseGain, requireDownload, requireRights } from './rights.ts'
import { commitAt } from './replacing.ts'
import { findTarget, makeFolders } from './target-path.ts'
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
export async function restoreVersionAt(
  context: DriveContext,
  path: FilePath,
  id: string,
  { ready, asSave = true }: RestoreVersionOptions = {},
): Promise<Stat> {
  using file = await findFile(context, path)
  requireRights(context, file, ['modify'])
  const { storage, versions } = context
  const { node } = file
  return await withNodeLock(storage, node, async () => {
    const version = await findVersion(context, file, id)
    await whenReady(context, { path, places: [file], rights: ['modify'], ready })
    const isHere = await withErrorPath(
      path,
      versions.replacing(node, (keep) => restoreHere(context, node, version, { asSave, ...(keep && { keep }) })),
    )
    const stat = isHere ?? (await copyBack(context, file, version, { asSave }))
    await versions.restored(version)
    return stat
  })
}

/** The version becomes a file of its own, with its time and mode. Fails with `already-exists`, and with `invalid-input` on another disk. */
export async function restoreVersionTo(
  context: DriveContext,
  path: FilePath,
  id: string,
  { to, ready }: OperationOptions & { to: FilePath },
): Promise<Stat> {
  using file = await findFile(context, path)
  using target = await findTarget(context, requireUtf8(to), 'keep')
  if (target.stat !== null) fail('already-exists', { path: to })
  const version = await findVersion(context, file, id)
  const { place, missing } = target
  const { storage, versions } = context
  await whenReady(context, { path: to, places: [...missing, place], rights: ['create'], also: { place: file, rights: ['modify'] }, ready })
  refuseGain(context, file, place)
  await makeFolders(context, missing)
  const change = { kind: 'create', path: place.node, node: { identity: version.identity }, folder: false } as const
  const stat = await recorded(context, change, async () => {
    const isHere = await withErrorPath(to, storage.restoreKept(version.kept, place.node, { replace: false }))
    if (!isHere) fail('invalid-input', { issues: ['to: on another disk'] })
    return (await storage.stat(place.node)) ?? fail('not-found', { path: to })
  })
  await versions.restored(version)
  return stat
}

/** @returns null if the version is on another disk */
async function restoreHere(
  context: DriveContext,
  node: FilePath,
  version: Version,
  { asSave, keep }: { asSave: boolean; keep?: Kept },
): Promise<Stat | null> {
  const { storage, recorder } = context
  const { kept, identity } = version
  const change = { kind: 'replace', path: node, node: { identity }, folder: false, version: keep?.id } as const
  const row = await recorder.begin(change)
  try {
    const isHere = await storage.restoreKept(kept, node, { replace: true, asSave, ...(keep && { keep }) })
    const stat = isHere ? await storage.stat(node) : null
    if (stat === null) row.failed()
    else row.done(stat)
    return isHere ? (stat ?? fail('not-found', {})) : null
  } catch (error) {
    await settleFailed(context, change, { row, error })
    throw error
  }
}

async function copyBack(context: DriveContext, file: FoundPath, { kept }: Version, { asSave }: { asSave: boolean }): Promise<Stat> {
  const { storage, versions } = context
  const { path, node } = file
  const staged = storage.stage(randomUUID(), { near: node, isNew: true })
  const checkpoint = checkpointFor(context, { needs: { place: file, rights: ['modify'] } })
  const check = (): void => void (context.verdict(file) === 'shown' || fail('not-found', { path }))
  try {
    await using source = await withErrorPath(path, storage.openKept(kept, ROOT))
    await whileAllowed(context, { check }, ({ signal, onBlock }) =>
      staged.append(source.stream(0, source.stat.size), { signal, onBytes: onBlock }),
    )
    await checkpoint()
    check()
    const { modified, mode } = source.stat
    const options = asSave ? {} : { modified, mode: mode & 0o777 }
    const commit = (keep: Kept | undefined) => commitAt(context, node, staged, { how: { replace: true, ...(keep && { keep }) }, options })
    return await withErrorPath(path, versions.replacing(node, commit))
  } catch (error) {
    await staged.discard().catch(() => undefined)
    throw error
  }
}

/** Only of a regular file that the viewer may see now. The caller closes it (`using`). */
async function findFile(context: DriveContext, path: FilePath): Promise<FoundPath & { stat: Stat }> {
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
