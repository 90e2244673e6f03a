import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import { settleFailed } from './recorded.ts'
import type { Created } from './rollback.ts'
import { below, type DriveContext, type FoundPath, type ResolvedPath, withErrorPath } from './context.ts'

/** The path at which a node is about to be created or replaced. The caller closes it (`using`). */
export interface TargetPath extends Disposable {
  readonly place: ResolvedPath
  /** Of the existing node; null if the name is free. */
  readonly stat: Stat | null
  /** Parent folders that do not exist, the outermost first. All of them may be created. */
  readonly missing: readonly ResolvedPath[]
  /** From the storage's root: the node itself, or the nearest folder that exists. */
  readonly nearest: FilePath
}

/**
 * Looks up a path at which a node is about to be created or replaced. With `follow`, a link stands for its target, and a link that cannot be
 * followed is `already-exists`: nothing is ever created through it. A parent that is not a folder is `already-exists` with its own path.
 */
export async function findTarget(context: DriveContext, path: FilePath, leaf: 'follow' | 'keep'): Promise<TargetPath> {
  return (await findReachable(context, path, leaf)) ?? (await findMissing(context, path, leaf))
}

async function findReachable(context: DriveContext, path: FilePath, leaf: 'follow' | 'keep'): Promise<TargetPath | null> {
  const found = await context.locate(path, 'keep')
  if (found === null) return null
  if (found.stat?.kind !== 'link' || leaf === 'keep') return targetFrom(found)
  found[Symbol.dispose]()
  const target = await context.locate(path, 'follow')
  if (target !== null && target.stat !== null) return targetFrom(target)
  target?.[Symbol.dispose]()
  return fail('already-exists', { path })
}

function targetFrom(place: FoundPath): TargetPath {
  const { node, stat } = place
  return { place, stat, missing: [], nearest: stat === null ? parentOf(node) : node, [Symbol.dispose]: () => place[Symbol.dispose]() }
}

/** Creates each folder in turn; one that another request has created in the meantime is fine. @param options.onCreated called for our own */
export async function makeFolders(
  context: DriveContext,
  places: readonly ResolvedPath[],
  { onCreated }: { onCreated?: (created: Created) => void } = {},
): Promise<void> {
  const { storage, recorder } = context
  for (const place of places) {
    const { path, node } = place
    const change = { kind: 'create', path: node, node: null, folder: true } as const
    const row = await recorder.begin(change)
    let made: true | null = null
    try {
      made = await nullOn(
        'already-exists',
        storage.makeFolder(node).then(() => true),
      )
    } catch (error) {
      await settleFailed(context, change, { row, error })
      throw error
    }
    const stat = await storage.stat(node)
    if (made === null || stat === null) row.failed()
    if (stat?.kind !== 'folder') fail('already-exists', { path })
    if (made === null) continue
    row.done(stat)
    onCreated?.({ place, stat, source: null, row })
  }
}

/** Of the nearest folder that exists. */
export async function spaceAt(context: DriveContext, path: FilePath): Promise<{ total: number; used: number }> {
  using target = (await nullOn('already-exists', findTarget(context, path, 'follow'))) ?? fail('not-found', { path })
  return await context.storage.space(target.nearest)
}

async function findMissing(context: DriveContext, path: FilePath, leaf: 'follow' | 'keep'): Promise<TargetPath> {
  if (path === ROOT) return fail('not-found', { path })
  using parent = await findTarget(context, parentOf(path), 'follow')
  // Another request has just created the folder, or the name is reserved by the storage.
  if (parent.stat?.kind === 'folder') return (await findReachable(context, path, leaf)) ?? fail('not-found', { path })
  if (parent.stat !== null) return fail('already-exists', { path: parentOf(path) })
  const { nearest } = parent
  const place = below(parent.place, nameOf(path))
  if (context.verdict(place) !== 'shown') fail('not-found', { path })
  // A name that the storage rejects is rejected before any folder is created for it.
  using _ = await withErrorPath(path, context.storage.find(joinPath(nearest, nameOf(path)), { within: nearest, leaf: 'keep' }))
  const missing = [...parent.missing, parent.place]
  return { place, stat: null, missing, nearest, [Symbol.dispose]: () => undefined }
}
