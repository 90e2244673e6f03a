import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import { below, type DriveContext, type ResolvedPath, seenAs, unless } from './context.ts'

/** Where something is to be put, before it is. */
export interface TargetPath {
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
  const place = await context.locate(path, 'keep')
  if (place === null) return findMissing(context, path)
  const stat = await context.storage.stat(place.node)
  if (stat === null) return { place, stat, missing: [], nearest: parentOf(place.node) }
  if (stat.kind !== 'link' || leaf === 'keep') return { place, stat, missing: [], nearest: place.node }
  const target = await context.locate(path, 'follow')
  const targetStat = target && (await context.storage.stat(target.node))
  if (target === null || targetStat === null) return fail('already-exists', { path })
  return { place: target, stat: targetStat, missing: [], nearest: target.node }
}

/** Makes each folder in turn; one that somebody else made meanwhile will do. @param options.onMade called for those that are ours */
export async function makeFolders(
  { storage }: DriveContext,
  places: readonly ResolvedPath[],
  { onMade }: { onMade?: (place: ResolvedPath, stat: Stat) => void } = {},
): Promise<void> {
  for (const place of places) {
    const { node, path } = place
    const made = await unless(
      'already-exists',
      storage.makeFolder(node).then(() => true),
    )
    const stat = await storage.stat(node)
    if (stat?.kind !== 'folder') fail('already-exists', { path })
    if (made === true) onMade?.(place, stat)
  }
}

/** Of the nearest folder that exists. */
export async function spaceAt(context: DriveContext, path: FilePath): Promise<{ total: number; used: number }> {
  const target = (await unless('already-exists', findTarget(context, path, 'follow'))) ?? fail('not-found', { path })
  return context.storage.space(target.nearest)
}

async function findMissing(context: DriveContext, path: FilePath): Promise<TargetPath> {
  if (path === ROOT) return fail('not-found', { path })
  const parent = await findTarget(context, parentOf(path), 'follow')
  // The folder is there, and still there is no way to the name: it is one that the storage keeps for itself.
  if (parent.stat?.kind === 'folder') return fail('not-found', { path })
  if (parent.stat !== null) return fail('already-exists', { path: parentOf(path) })
  const { nearest } = parent
  const place = below(parent.place, nameOf(path))
  if (context.verdict(place) !== 'shown') fail('not-found', { path })
  // A name that the storage would refuse is refused before any folder is made for it.
  await seenAs(path, context.storage.locate(joinPath(nearest, nameOf(path)), { within: nearest, leaf: 'keep' }))
  return { place, stat: null, missing: [...parent.missing, parent.place], nearest }
}
