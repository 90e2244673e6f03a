import { fail } from '../../shared/errors.ts'
import { type FilePath, isUtf8Path } from '../../shared/file-path.ts'
import type { StagedFile, Stat } from '../storage/storage.ts'
import type { DeedOptions } from './drive.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { oneByOne } from './one-by-one.ts'
import { type DriveContext, seenAs } from './context.ts'
import { findTarget, makeFolders, type TargetPath } from './target-path.ts'

interface PutOptions extends DeedOptions {
  replace: boolean
  modified?: number
  mayModify: boolean
}

/** What `put` would find. Fails as it would. */
export async function expectPut(context: DriveContext, path: FilePath, { replace, mayModify }: PutOptions): Promise<TargetPath> {
  const target = await findTarget(context, requireUtf8(path), 'follow')
  if (target.stat === null) return target
  if (!replace || target.stat.kind !== 'file') fail('already-exists', { path })
  return mayModify ? target : fail('forbidden', { right: 'modify' })
}

export async function putAt(context: DriveContext, path: FilePath, staged: StagedFile, options: PutOptions): Promise<Stat> {
  const { replace, modified, mayModify, ready } = options
  const { place, missing } = await expectPut(context, path, options)
  await ready?.(path)
  await makeFolders(context, missing)
  // Somebody may take the name at the last moment: that is not to be replaced by one who may not modify.
  return seenAs(path, staged.commit(place.node, { replace: replace && mayModify, modified }))
}

export async function saveAt(
  context: DriveContext,
  path: FilePath,
  staged: StagedFile,
  { ifMatch, ready }: DeedOptions & { ifMatch?: string } = {},
): Promise<Stat> {
  const { node } = await context.find(requireUtf8(path), 'follow')
  // Of two who save over the same version, the second is to learn of the first.
  return oneByOne(context.storage, node, async () => {
    const stat = (await context.storage.stat(node)) ?? fail('not-found', { path })
    if (stat.kind !== 'file') fail('already-exists', { path })
    if (ifMatch !== undefined && !matchesEtag(ifMatch, etagOf(stat))) fail('precondition-failed', { path })
    await ready?.(path)
    return seenAs(path, staged.commit(node, { replace: true }))
  })
}

/** Content is read and made only under names that everybody can spell. */
export function requireUtf8(path: FilePath): FilePath {
  return isUtf8Path(path) ? path : fail('invalid-input', { issues: ['path: not UTF-8'] })
}
