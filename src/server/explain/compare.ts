import type { PersonEffect } from '../../shared/contract/explain.ts'
import { type FilePath, isWithin } from '../../shared/file-path.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { IndexedNode, Sums, TreeIndex } from '../index/tree-index.ts'
import { type Eye, namesOf, NO_REACH, ofKind, type ReachBits, reachesBelow, reachOf } from './difference.ts'

/** More than these are asked for only to have all of them: then each node is looked at, and none is counted by the sums of its folder. */
const FEW_EXAMPLES = 10

export type Side = 'opens' | 'closes'
export const SIDES = ['opens', 'closes'] as const

/** What a change opens and closes for one person, or for several who have the same. */
export interface Tally {
  files: number
  folders: number
  bytes: number
  what: ReachBits
  readonly examples: PersonEffect['examples']
}
export type Tallies = Record<Side, Tally>

/** What decides about a person now, and what would. */
export interface Eyes {
  readonly before: Eye | null
  readonly after: Eye | null
}

export interface CompareOptions {
  readonly index: TreeIndex
  /** The path of a place as the administrator who asks sees it; null if they do not. */
  readonly shown: (place: FilePath) => FilePath | null
  /** How many nodes are told on each side. */
  readonly examples: number
  readonly signal: AbortSignal
  /** Below these the two can differ; null for everywhere. */
  readonly places: readonly FilePath[] | null
  readonly isOver: () => boolean
}

/** What the second Access opens and closes in comparison with the first. `isComplete`: everything was looked at. */
export async function compare(
  { before, after }: Eyes,
  { index, shown, examples, signal, places, isOver }: CompareOptions,
): Promise<{ isComplete: boolean; tallies: Tallies }> {
  const tallies: Tallies = { opens: nothing(), closes: nothing() }
  const listsAll = examples > FEW_EXAMPLES
  const pause = periodicYield(signal)
  let isComplete = true

  function mayDiffer(place: FilePath): boolean {
    if (places === null) return true
    const composed = place.normalize('NFC') as FilePath
    return places.some((one) => isWithin(composed, one))
  }
  function leadsThere(folder: FilePath): boolean {
    const composed = folder.normalize('NFC') as FilePath
    return mayDiffer(folder) || places?.some((one) => isWithin(one, composed)) === true
  }

  /** Null where each node has to be looked at. */
  const sumsBelow = (folder: FilePath) => {
    const both = mayDiffer(folder) ? reachesBelow(before, after, folder) : null
    return both !== null && (both.was === both.willBe || !listsAll) ? both : null
  }

  function count(was: ReachBits, willBe: ReachBits, { files, folders, bytes }: Sums): void {
    for (const [side, gained] of [
      ['opens', willBe & ~was],
      ['closes', was & ~willBe],
    ] as const) {
      const tally = tallies[side]
      const [ofFiles, ofFolders] = [ofKind(gained, { isFolder: false }), ofKind(gained, { isFolder: true })]
      if (ofFiles !== NO_REACH && files > 0) {
        tally.files += files
        tally.bytes += bytes
        tally.what |= ofFiles
      }
      if (ofFolders !== NO_REACH && folders > 0) {
        tally.folders += folders
        tally.what |= ofFolders
      }
    }
  }

  function look({ path: place, kind, size }: Pick<IndexedNode, 'path' | 'kind' | 'size'>): void {
    if (!mayDiffer(place)) return
    const [was, willBe] = [reachOf(before, place), reachOf(after, place)]
    if (was === willBe) return
    const isFolder = kind === 'folder'
    count(was, willBe, isFolder ? { files: 0, folders: 1, bytes: 0 } : { files: 1, folders: 0, bytes: size })
    for (const side of SIDES) {
      const what = ofKind(side === 'opens' ? willBe & ~was : was & ~willBe, { isFolder })
      if (what === NO_REACH || tallies[side].examples.length >= examples) continue
      const path = shown(place)
      if (path !== null) tallies[side].examples.push({ path, folder: isFolder, what: namesOf(what) })
    }
  }

  async function countBelow(folder: FilePath): Promise<boolean> {
    const both = sumsBelow(folder)
    if (both === null) return false
    if (both.was !== both.willBe) {
      const sums = await index.sums(folder, both.counted)
      if (sums === null) return false
      count(both.was, both.willBe, sums)
    }
    return true
  }

  async function walk(root: FilePath): Promise<void> {
    look({ path: root, kind: 'folder', size: 0 })
    if (await countBelow(root)) return
    const enters = async ({ path }: IndexedNode): Promise<boolean> => {
      await pause()
      return !isOver() && leadsThere(path) && sumsBelow(path) === null
    }
    const batches = await index.below(root, { signal, enters })
    // Being read again, or left out of the index.
    if (batches === null) {
      isComplete = false
      return
    }
    for await (const batch of batches) {
      for (const node of batch) {
        if (isOver()) {
          isComplete = false
          return
        }
        await pause()
        look(node)
        if (node.kind !== 'folder' || !mayDiffer(node.path)) continue
        await pause()
        await countBelow(node.path)
      }
    }
  }

  if (places === null || places.length > 0) for (const root of rootsOf(before, after)) if (isComplete) await walk(root)
  return { isComplete, tallies }
}

/** The folders in which the two have anything, each once. */
function rootsOf(...eyes: readonly (Eye | null)[]): FilePath[] {
  const scopes = new Set(eyes.flatMap((eye) => (eye === null ? [] : [eye.scope])))
  return [...scopes].filter((scope) => ![...scopes].some((other) => other !== scope && isWithin(scope, other)))
}

function nothing(): Tally {
  return { files: 0, folders: 0, bytes: 0, what: NO_REACH, examples: [] }
}
