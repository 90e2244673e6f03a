import type { Right } from '../../shared/contract/endpoint.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, pathFrom, placeUnder } from '../../shared/file-path.ts'
import type { ShownBelow } from '../access/rules.ts'
import type { WalkedEntry } from './entry.ts'
import { linkEntry } from './read-entries.ts'
import type { DriveContext, ResolvedPath } from './context.ts'
import { rightsOfPlace } from './rights.ts'

/**
 * A folder and what its viewer may see below it, for callers that know its content from an index. Nodes are storage paths, links not resolved. Only
 * `look` reads the disk.
 */
export type SubtreeView = Awaited<ReturnType<typeof subtreeViewOf>>

/** Folders of which it is memoized whether a walk would come to them: what is asked for lies together as a rule. */
const MOST_CACHED = 10_000

export async function subtreeViewOf(context: DriveContext, path: FilePath) {
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
    if (reached.size >= MOST_CACHED) reached.clear()
    reached.set(node, isReached)
    return isReached
  }

  return {
    /** The folder, from the storage's root, links resolved. */
    node: folder.node,
    /** Whether rules and hidden names show a node below it, provided that its parents are shown. */
    shows,
    /** Whether a walk would reach a node below it: the node and all its parents are shown. */
    reaches,
    /** How much is shown below a shown node, as far as the rules alone determine it. */
    shownBelow(node: FilePath): ShownBelow {
      const { rules } = context.access
      if (rules.empty) return 'all'
      const { alias, real } = placeOf(node)
      const asked = rules.shownBelow(alias)
      return asked === rules.shownBelow(real) ? asked : 'unknown'
    },
    /** Whether the viewer has a right to a node below it. */
    may: (right: Right, node: FilePath): boolean => rightsOfPlace(context, placeOf(node))[right],
    /** The viewer's path of a node below it. */
    pathOf,
    /** Updates what the viewer may see; await it before each step of long work. */
    renew: context.renew,
    /** The current state of a node, if a walk would reach it; null if not, or if it is gone. */
    async look(node: FilePath): Promise<WalkedEntry | null> {
      await context.renew()
      const seen = pathOf(node)
      const stat = reaches(node) ? await context.storage.stat(node) : null
      if (stat === null) return null
      return stat.kind === 'link' ? linkEntry(context, seen, stat) : { path: seen, name: nameOf(node), stat, target: null }
    },
  }
}
