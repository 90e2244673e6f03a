import { fail } from '../../shared/errors.ts'
import { type FilePath, isUtf8Path } from '../../shared/file-path.ts'
import { rightsOf } from '../access/permissions.ts'
import type { StagedFile, Stat } from '../storage/storage.ts'
import type { DeedOptions } from './drive.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { oneByOne } from './one-by-one.ts'
import { type DriveContext, seenAs, whereOf } from './context.ts'
import { findTarget, makeFolders, type TargetPath } from './target-path.ts'
import { whenReady } from './when-ready.ts'

interface PutOptions extends DeedOptions {
  replace: boolean
  modified?: number
}

/** Fails as `put` would. */
export async function expectPut(context: DriveContext, path: FilePath, options: PutOptions): Promise<void> {
  using target = await findTarget(context, requireUtf8(path), 'follow')
  refusePut(context, target, path, options)
}

function refusePut(context: DriveContext, { stat }: TargetPath, path: FilePath, { replace }: PutOptions): void {
  if (stat === null) return
  if (!replace || stat.kind !== 'file') fail('already-exists', { path })
  if (!rightsOf(context.access.may).modify) fail('forbidden', { right: 'modify' })
}

export async function putAt(context: DriveContext, path: FilePath, staged: StagedFile, options: PutOptions): Promise<Stat> {
  const { replace, modified, ready } = options
  using target = await findTarget(context, requireUtf8(path), 'follow')
  const { place, missing } = target
  refusePut(context, target, path, options)
  await whenReady(context, { path, places: [...missing, place], rights: ['create'], ready })
  await makeFolders(context, missing)
  // Somebody may take the name at the last moment: that is not to be replaced by one who may not modify.
  return await seenAs(path, staged.commit(whereOf(place), { replace: replace && rightsOf(context.access.may).modify, modified }))
}

export async function saveAt(
  context: DriveContext,
  path: FilePath,
  staged: StagedFile,
  { ifMatch, ready }: DeedOptions & { ifMatch?: string } = {},
): Promise<Stat> {
  using found = await context.find(requireUtf8(path), 'follow')
  const { node } = found
  // Of two who save over the same version, the second is to learn of the first.
  return await oneByOne(context.storage, node, async () => {
    const stat = (await context.storage.stat(node)) ?? fail('not-found', { path })
    if (stat.kind !== 'file') fail('already-exists', { path })
    if (ifMatch !== undefined && !matchesEtag(ifMatch, etagOf(stat))) fail('precondition-failed', { path })
    await whenReady(context, { path, places: [found], rights: ['modify'], ready })
    return seenAs(path, staged.commit(node, { replace: true }))
  })
}

/** Content is read and made only under names that everybody can spell. */
export function requireUtf8(path: FilePath): FilePath {
  return isUtf8Path(path) ? path : fail('invalid-input', { issues: ['path: not UTF-8'] })
}
