import { fail } from '../../shared/errors.ts'
import { type FilePath, pathFrom, placeUnder } from '../../shared/file-path.ts'
import type { Ground } from './place.ts'

/** A folder and what its viewer may see below it, without a look at the disk. Nodes are named as the storage has them, links not resolved. */
export interface Outlook {
  /** The folder, from the storage's root, links resolved. */
  readonly node: FilePath
  /** Whether rules and hidden names show a node below it, provided that they show the folders on the way. */
  shows(node: FilePath): boolean
  /** Whether everything below a shown node is shown too; `false` where that cannot be told from names alone. */
  showsAllBelow(node: FilePath): boolean
  /** What its viewer calls a node below it. */
  pathOf(node: FilePath): FilePath
}

export async function outlookFrom(ground: Ground, path: FilePath): Promise<Outlook> {
  const folder = await ground.find(path, 'follow')
  if ((await ground.storage.stat(folder.node))?.kind !== 'folder') fail('not-found', { path })
  const { rules } = ground.access
  const inside = (node: FilePath): FilePath => pathFrom(folder.node, node) ?? fail('not-found', {})

  return {
    node: folder.node,
    shows(node) {
      if (rules.empty) return true
      const name = inside(node)
      const place = { path: folder.path, alias: placeUnder(folder.alias, name), real: placeUnder(folder.real, name), node }
      return ground.verdict(place) === 'shown'
    },
    showsAllBelow(node) {
      if (rules.empty) return true
      const name = inside(node)
      return rules.allowsAllBelow(placeUnder(folder.alias, name)) && rules.allowsAllBelow(placeUnder(folder.real, name))
    },
    pathOf: (node) => placeUnder(folder.path, inside(node)),
  }
}
