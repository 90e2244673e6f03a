import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, pathFrom, placeUnder } from '../../shared/file-path.ts'
import type { ShownBelow } from '../access/rules.ts'
import type { Walked } from './drive.ts'
import { linkEntry } from './entries.ts'
import type { DriveContext, ResolvedPath } from './context.ts'

/**
 * A folder and what its viewer may see below it, for whoever knows by other means what lies there. Nodes are named as the storage has them, links
 * not resolved. Nothing but `look` looks at the disk.
 */
export interface SubtreeView {
  /** The folder, from the storage's root, links resolved. */
  readonly node: FilePath
  /** Whether rules and hidden names show a node below it, provided that they show the folders on the way. */
  shows(node: FilePath): boolean
  /** Whether a walk would come to a node below it: it is shown, and so are the folders on the way. */
  reaches(node: FilePath): boolean
  /** What is shown of everything below a shown node, as far as rules alone can tell. */
  shownBelow(node: FilePath): ShownBelow
  /** What its viewer calls a node below it. */
  pathOf(node: FilePath): FilePath
  /** Brings what its viewer may see up to date; to be awaited before each step of what takes long. */
  renew(): Promise<void> | undefined
  /** A node that a walk would come to, as it is now; null where it is gone. */
  look(node: FilePath): Promise<Walked | null>
}

/** Folders of which it is remembered whether a walk would come to them: what is asked for lies together as a rule. */
const MOST_REMEMBERED = 10_000

export async function subtreeViewOf(context: DriveContext, path: FilePath): Promise<SubtreeView> {
  using folder = await context.find(path, 'follow')
  if (folder.stat?.kind !== 'folder') fail('not-found', { path })
  const inside = (node: FilePath): FilePath => pathFrom(folder.node, node) ?? fail('not-found', {})

  const pathOf = (node: FilePath): FilePath => placeUnder(folder.path, inside(node))
  const placeOf = (node: FilePath): ResolvedPath => {
    const name = inside(node)
    return { path: pathOf(node), alias: placeUnder(folder.alias, name), real: placeUnder(folder.real, name), node }
  }
  const shows = (node: FilePath): boolean => context.access.rules.empty || context.verdict(placeOf(node)) === 'shown'
  const reached = new Map<FilePath, boolean>()
  let reachedBy = context.access

  function reaches(node: FilePath): boolean {
    if (context.access !== reachedBy) reached.clear()
    reachedBy = context.access
    return reachedBy.rules.empty || (shows(node) && entersFolder(parentOf(node)))
  }

  function entersFolder(node: FilePath): boolean {
    if (node === folder.node) return true
    const known = reached.get(node)
    if (known !== undefined) return known
    const isReached = reaches(node)
    if (reached.size >= MOST_REMEMBERED) reached.clear()
    reached.set(node, isReached)
    return isReached
  }

  return {
    node: folder.node,
    shows,
    reaches,
    shownBelow(node) {
      const { rules } = context.access
      if (rules.empty) return 'all'
      const { alias, real } = placeOf(node)
      const asked = rules.shownBelow(alias)
      return asked === rules.shownBelow(real) ? asked : 'unknown'
    },
    pathOf,
    renew: context.renew,
    async look(node) {
      await context.renew()
      const seen = pathOf(node)
      const stat = reaches(node) ? await context.storage.stat(node) : null
      if (stat === null) return null
      return stat.kind === 'link' ? linkEntry(context, seen, stat) : { path: seen, name: nameOf(node), stat, target: null }
    },
  }
}
