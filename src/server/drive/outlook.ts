import { type FilePath, nameOf, parentOf, pathFrom } from '../../shared/file-path.ts'
import type { Outlook, Walked } from './drive.ts'
import { linkEntry } from './entries.ts'
import { below, type Ground, type Place } from './place.ts'

/** Folders whose place is remembered: what is found lies together as a rule. */
const MOST_REMEMBERED = 10_000

export async function outlookFrom(ground: Ground, path: FilePath): Promise<Outlook> {
  const start = await ground.find(path, 'follow')
  const folders = new Map<FilePath, Place | null>()

  /** Null where it, or a folder on the way to it, is hidden: a walk would not come there. */
  function placeOf(node: FilePath): Place | null {
    if (pathFrom(start.node, node) === null) return null
    const folder = folderOf(parentOf(node))
    if (folder === null) return null
    const place = below(folder, nameOf(node))
    return ground.access.rules.empty || ground.verdict(place) === 'shown' ? place : null
  }

  function folderOf(node: FilePath): Place | null {
    if (node === start.node) return start
    const known = folders.get(node)
    if (known !== undefined) return known
    const place = placeOf(node)
    if (folders.size >= MOST_REMEMBERED) folders.clear()
    folders.set(node, place)
    return place
  }

  return {
    node: start.node,
    pathOf: (node) => (node === start.node ? null : (placeOf(node)?.path ?? null)),
    async look(node): Promise<Walked | null> {
      const place = node === start.node ? null : placeOf(node)
      const stat = place && (await ground.storage.stat(node))
      if (place === null || stat === null) return null
      return stat.kind === 'link' ? linkEntry(ground, place.path, stat) : { path: place.path, name: nameOf(node), stat, target: null }
    },
  }
}
