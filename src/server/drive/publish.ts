import { createKeyedMutex, type KeyedMutex } from '../../shared/keyed-mutex.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, isUtf8Path } from '../../shared/file-path.ts'
import type { Kept, StagedFile, Stat, Storage } from '../storage/storage.ts'
import type { OperationOptions } from './operation.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { type DriveContext, withErrorPath } from './context.ts'
import { findTarget, makeFolders, type TargetPath } from './target-path.ts'
import { whenReady } from './checkpoint.ts'
import { commitAt, publishAt } from './replacing.ts'
import { requireRights, rightsOfPlace } from './rights.ts'

interface PutOptions extends OperationOptions {
  replace: boolean
  modified?: number
}

export interface SaveOptions extends OperationOptions {
  readonly ifMatch?: string | undefined
  /** The replaced content becomes a version even if it was saved shortly before. */
  readonly asVersion?: boolean
  /** When the content was changed last, in milliseconds since 1970; now by default. */
  readonly modified?: number | undefined
}

export async function expectPut(context: DriveContext, path: FilePath, options: PutOptions): Promise<void> {
  using target = await findTarget(context, requireUtf8(path), 'follow')
  refusePut(context, target, path, options)
}

function refusePut(context: DriveContext, { place, missing, stat }: TargetPath, path: FilePath, { replace }: PutOptions): void {
  for (const one of [...missing, place]) requireRights(context, one, ['create'])
  if (stat === null) return
  if (!replace || stat.kind !== 'file') fail('already-exists', { path })
  requireRights(context, place, ['modify'])
}

export async function putAt(context: DriveContext, path: FilePath, staged: StagedFile, options: PutOptions): Promise<Stat> {
  const { replace, modified, ready } = options
  using target = await findTarget(context, requireUtf8(path), 'follow')
  const { place, missing } = target
  refusePut(context, target, path, options)
  await whenReady(context, { path, places: [...missing, place], rights: ['create'], ready })
  await makeFolders(context, missing)
  // Without `modify`, a file that another request creates at the last moment is not replaced either.
  const mayReplace = replace && rightsOfPlace(context, place).modify
  return await withErrorPath(
    path,
    publishAt(context, place.node, staged, { replace: mayReplace, ...(modified !== undefined && { modified }) }),
  )
}

export async function saveAt(
  context: DriveContext,
  path: FilePath,
  staged: StagedFile,
  { ifMatch, asVersion = false, modified, ready }: SaveOptions = {},
): Promise<Stat> {
  using found = await context.find(requireUtf8(path), 'follow')
  const { node } = found
  // If two requests save over the same version, the second must fail.
  return await withNodeLock(context.storage, node, async () => {
    const stat = (await context.storage.stat(node)) ?? fail('not-found', { path })
    if (stat.kind !== 'file') fail('already-exists', { path })
    if (ifMatch !== undefined && !matchesEtag(ifMatch, etagOf(stat))) fail('precondition-failed', { path })
    await whenReady(context, { path, places: [found], rights: ['modify'], ready })
    const commit = async (keep: Kept | undefined, { isInterim }: { isInterim: boolean }): Promise<Stat> => {
      const row = isInterim ? await context.recorder.resume(node) : null
      const begin = row === null ? undefined : async () => row
      const options = modified === undefined ? {} : { modified }
      return commitAt(context, node, staged, { how: { replace: true, ...(keep && { keep }) }, options, begin })
    }
    const { versions } = context
    const saved = asVersion ? versions.replacing(node, (keep) => commit(keep, { isInterim: false })) : versions.saving(node, commit)
    return withErrorPath(path, saved)
  })
}

/** Content is read and created only under names that are UTF-8. */
export function requireUtf8(path: FilePath): FilePath {
  return isUtf8Path(path) ? path : fail('invalid-input', { issues: ['path: not UTF-8'] })
}

/** Many Drives share one storage, and so do its locks. */
const mutexes = new WeakMap<Storage, KeyedMutex>()

/** Runs operations on the same node one after the other, in order of arrival, also across servers. */
export function withNodeLock<T>(storage: Storage, node: FilePath, work: () => Promise<T>): Promise<T> {
  const base = storage.base ?? storage
  const mutex = mutexes.get(base) ?? createKeyedMutex()
  mutexes.set(base, mutex)
  return mutex(node, () => storage.exclusively?.(node, work) ?? work())
}
