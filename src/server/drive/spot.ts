import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Stat } from '../storage/storage.ts'
import { below, type Ground, type Place, seenAs, unless } from './place.ts'

/** Where something is to be put, before it is. */
export interface Spot {
  readonly place: Place
  /** Of what is there already; null where the name is free. */
  readonly stat: Stat | null
  /** Folders on the way that do not exist, the outermost first. All of them may be made. */
  readonly missing: readonly Place[]
  /** From the storage's root: the node itself, or the nearest folder that exists. */
  readonly nearest: FilePath
}

/**
 * What is at a path where something is to be put. With `follow` a link counts as what it points to, and one that cannot be followed is
 * `already-exists`: nothing is ever made through it. A parent that is no folder is `already-exists` by its own path.
 */
export async function findSpot(ground: Ground, path: FilePath, leaf: 'follow' | 'keep'): Promise<Spot> {
  const place = await ground.locate(path, 'keep')
  if (place === null) return findMissing(ground, path)
  const stat = await ground.storage.stat(place.node)
  if (stat === null) return { place, stat, missing: [], nearest: parentOf(place.node) }
  if (stat.kind !== 'link' || leaf === 'keep') return { place, stat, missing: [], nearest: place.node }
  const target = await ground.locate(path, 'follow')
  const targetStat = target && (await ground.storage.stat(target.node))
  if (target === null || targetStat === null) return fail('already-exists', { path })
  return { place: target, stat: targetStat, missing: [], nearest: target.node }
}

/** Makes each folder in turn; one that somebody else made meanwhile will do. @param options.onMade called for those that are ours */
export async function makeFolders(
  { storage }: Ground,
  places: readonly Place[],
  { onMade }: { onMade?: (place: Place, stat: Stat) => void } = {},
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
export async function spaceAt(ground: Ground, path: FilePath): Promise<{ total: number; used: number }> {
  const spot = (await unless('already-exists', findSpot(ground, path, 'follow'))) ?? fail('not-found', { path })
  return ground.storage.space(spot.nearest)
}

async function findMissing(ground: Ground, path: FilePath): Promise<Spot> {
  if (path === ROOT) return fail('not-found', { path })
  const parent = await findSpot(ground, parentOf(path), 'follow')
  // The folder is there, and still there is no way to the name: it is one that the storage keeps for itself.
  if (parent.stat?.kind === 'folder') return fail('not-found', { path })
  if (parent.stat !== null) return fail('already-exists', { path: parentOf(path) })
  const { nearest } = parent
  const place = below(parent.place, nameOf(path))
  if (ground.verdict(place) !== 'shown') fail('not-found', { path })
  // A name that the storage would refuse is refused before any folder is made for it.
  await seenAs(path, ground.storage.locate(joinPath(nearest, nameOf(path)), { within: nearest, leaf: 'keep' }))
  return { place, stat: null, missing: [...parent.missing, parent.place], nearest }
}
