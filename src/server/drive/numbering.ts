import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import { numbered } from '../../shared/numbering.ts'
import { below, type Ground, type Place } from './place.ts'
import { findSpot, type Spot } from './spot.ts'

/**
 * The place of `path` itself where that is free, else of the first free number.
 * @param lost names that looked free and were taken after all
 */
export async function freeSpot(ground: Ground, path: FilePath, lost: ReadonlySet<string>): Promise<Spot> {
  const spot = await findSpot(ground, path, 'keep')
  if (spot.stat === null && !lost.has(nameOf(path))) return spot
  const folder = parentPlace(spot.place)
  const { names } = await ground.storage.list(folder.node)
  const taken = new Set([...names, ...lost])
  for (let number = 1; ; number++) {
    const place = below(folder, numbered(nameOf(path), number))
    if (!taken.has(nameOf(place.path)) && ground.verdict(place) === 'shown') return { place, stat: null, missing: [], nearest: folder.node }
  }
}

function parentPlace({ path, alias, real, node }: Place): Place {
  return { path: parentOf(path), alias: parentOf(alias), real: parentOf(real), node: parentOf(node) }
}
