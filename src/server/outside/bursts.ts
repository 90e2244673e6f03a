import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import type { FoundNode } from '../../shared/found-node.ts'

/** One change of a burst, by its storage path. */
export interface OutsideItem {
  readonly path: FilePath
  readonly change: FoundNode['change']
  readonly folder: boolean
}

/** What other programs changed in one folder in a short time. */
export interface Burst {
  /** Storage path of the folder. */
  readonly path: FilePath
  /** Milliseconds since 1970. */
  readonly first: number
  readonly last: number
  readonly counts: Readonly<Record<FoundNode['change'], number>>
  /** The first of them. */
  readonly items: readonly OutsideItem[]
}

export const ITEMS = 20
/** A program that changes more folders than this at once gets entries at the folders above them. */
const MOST_BURSTS = 100

/**
 * One burst for each folder. What is in a folder that appeared counts with that folder, where that appeared; if there are too many folders, the deepest
 * are counted with those above them.
 * @param options.known folders that appeared a moment ago
 */
export function burstsOf(
  changes: readonly FoundNode[],
  { known = [], most = MOST_BURSTS }: { known?: Iterable<FilePath>; most?: number } = {},
): Burst[] {
  const fresh = new Set([...known, ...freshFolders(changes)])
  const bursts = new Map<FilePath, { first: number; last: number; counts: Record<FoundNode['change'], number>; items: OutsideItem[] }>()
  // Shorter paths first: a folder is named before what is in it.
  for (const { path, change, folder, first, last } of changes.toSorted((a, b) => a.path.length - b.path.length)) {
    const top = uppermostIn(fresh, path)
    const at = parentOf(top ?? path)
    const burst = bursts.get(at) ?? { first, last, counts: { appeared: 0, changed: 0, gone: 0 }, items: [] }
    burst.first = Math.min(burst.first, first)
    burst.last = Math.max(burst.last, last)
    burst.counts[change]++
    const item: OutsideItem = top === null || top === path ? { path, change, folder } : { path: top, change: 'changed', folder: true }
    if (burst.items.length < ITEMS && !burst.items.some((one) => one.path === item.path)) burst.items.push(item)
    bursts.set(at, burst)
  }
  while (bursts.size > most) {
    const [deepest] = [...bursts.keys()].toSorted((a, b) => depthOf(b) - depthOf(a))
    if (deepest === undefined || deepest === ROOT) break
    const depth = depthOf(deepest)
    for (const path of [...bursts.keys()].filter((one) => depthOf(one) === depth)) {
      const moved = bursts.get(path)
      bursts.delete(path)
      const above = bursts.get(parentOf(path))
      if (moved === undefined) continue
      if (above === undefined) bursts.set(parentOf(path), moved)
      else {
        above.first = Math.min(above.first, moved.first)
        above.last = Math.max(above.last, moved.last)
        for (const change of ['appeared', 'changed', 'gone'] as const) above.counts[change] += moved.counts[change]
        above.items.push(...moved.items.slice(0, ITEMS - above.items.length))
      }
    }
  }
  return [...bursts].map(([path, burst]) => ({ path, ...burst }))
}

/** The folders that appeared. */
export function freshFolders(changes: readonly FoundNode[]): FilePath[] {
  return changes.filter(({ change, folder }) => folder && change === 'appeared').map(({ path }) => path)
}

/** The uppermost of these folders that a path is, or is in. */
function uppermostIn(folders: ReadonlySet<FilePath>, path: FilePath): FilePath | null {
  let found: FilePath | null = null
  for (let at = path; at !== ROOT; at = parentOf(at)) if (folders.has(at)) found = at
  return found
}

function depthOf(path: FilePath): number {
  return path === ROOT ? 0 : path.split('/').length - 1
}

/** Whether a path is one of these, or in one of them. */
export function isInAny(paths: Iterable<FilePath>, path: FilePath): boolean {
  for (const one of paths) if (isWithin(path, one)) return true
  return false
}
