import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import { below, type DriveContext, type FoundPath, type ResolvedPath, seenAs, unless, whereOf } from './context.ts'

/** Where something is to be put, before it is. Whoever asked for it closes it (`using`). */
export interface TargetPath extends Disposable {
  readonly place: ResolvedPath
  /** Of what is there already; null where the name is free. */
  readonly stat: Stat | null
  /** Folders on the way that do not exist, the outermost first. All of them may be made. */
  readonly missing: readonly ResolvedPath[]
  /** From the storage's root: the node itself, or the nearest folder that exists. */
  readonly nearest: FilePath
}

/**
 * What is at a path where something is to be put. With `follow` a link counts as what it points to, and one that cannot be followed is
 * `already-exists`: nothing is ever made through it. A parent that is no folder is `already-exists` by its own path.
 */
export async function findTarget(context: DriveContext, path: FilePath, leaf: 'follow' | 'keep'): Promise<TargetPath> {
  return (await findReachable(context, path, leaf)) ?? (await findMissing(context, path, leaf))
}

/** Null if a parent is missing. */
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

/** Makes each folder in turn; one that somebody else made meanwhile will do. @param options.onMade called for those that are ours */
export async function makeFolders(
  { storage }: DriveContext,
  places: readonly ResolvedPath[],
  { onMade }: { onMade?: (place: ResolvedPath, stat: Stat) => void } = {},
): Promise<void> {
  for (const place of places) {
    const { path } = place
    const made = await unless(
      'already-exists',
      storage.makeFolder(whereOf(place)).then(() => true),
    )
    const stat = await storage.stat(whereOf(place))
    if (stat?.kind !== 'folder') fail('already-exists', { path })
    if (made === true) onMade?.(place, stat)
  }
}

/** Of the nearest folder that exists. */
export async function spaceAt(context: DriveContext, path: FilePath): Promise<{ total: number; used: number }> {
  using target = (await unless('already-exists', findTarget(context, path, 'follow'))) ?? fail('not-found', { path })
  return await context.storage.space(target.nearest)
}

async function findMissing(context: DriveContext, path: FilePath, leaf: 'follow' | 'keep'): Promise<TargetPath> {
  if (path === ROOT) return fail('not-found', { path })
  using parent = await findTarget(context, parentOf(path), 'follow')
  // Another request has just made the folder, or the name is one that the storage keeps for itself.
  if (parent.stat?.kind === 'folder') return (await findReachable(context, path, leaf)) ?? fail('not-found', { path })
  if (parent.stat !== null) return fail('already-exists', { path: parentOf(path) })
  const { nearest } = parent
  const place = below(parent.place, nameOf(path))
  if (context.verdict(place) !== 'shown') fail('not-found', { path })
  // A name that the storage would refuse is refused before any folder is made for it.
  using _ = await seenAs(path, context.storage.find(joinPath(nearest, nameOf(path)), { within: nearest, leaf: 'keep' }))
  const missing = [...parent.missing, pathOnly(parent.place)]
  return { place, stat: null, missing, nearest, [Symbol.dispose]: () => undefined }
}

/** Without the handle, which is closed by its owner. */
function pathOnly({ path, alias, real, node }: ResolvedPath): ResolvedPath {
  return { path, alias, real, node }
}
