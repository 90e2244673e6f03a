import type { Effect, EffectSide, PersonEffect } from '../../shared/contract/explain.ts'
import { type FilePath, isWithin } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { IndexedNode, Sums, TreeIndex } from '../index/tree-index.ts'
import { type Eye, eyeOf, namesOf, NO_REACH, ofKind, placesOfDifference, type ReachBits, reachesBelow, reachOf } from './difference.ts'
import type { PlannedPerson, Standing } from './planned.ts'

export interface EffectOptions {
  readonly index: TreeIndex
  /** Where the folder of an account really is; null if it does not exist. */
  readonly placeOf: (scope: FilePath) => Promise<FilePath | null>
  /** The path of a place as the administrator who asks sees it; null if they do not. */
  readonly shown: (place: FilePath) => FilePath | null
  /** How many people are told on each side. */
  readonly people: number
  /** How many nodes are told of each of them. */
  readonly examples: number
  /** Milliseconds after which no more is counted. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** More than these are asked for only to have all of them: then each node is looked at, and none is counted by the sums of its folder. */
const FEW_EXAMPLES = 10

type Side = 'opens' | 'closes'
const SIDES = ['opens', 'closes'] as const

/** What a change opens and closes for one person, or for several who have the same. */
interface Tally {
  files: number
  folders: number
  bytes: number
  what: ReachBits
  readonly examples: PersonEffect['examples']
}
type Tallies = Record<Side, Tally>

/**
 * What a change would open and close for people, counted from the index: for each node, what the Access that decides now gives, against the Access that
 * would decide then. What the two give to a whole folder alike is skipped, or counted at once by its sums.
 */
export async function effectOf(planned: readonly PlannedPerson[], options: EffectOptions): Promise<Effect> {
  const { index, placeOf, people, limitMs, signal } = options
  const until = performance.now() + limitMs
  const isOver = (): boolean => performance.now() > until
  const pause = periodicYield(signal)
  const found: Record<Side, EffectSide> = { opens: { count: 0, people: [] }, closes: { count: 0, people: [] } }
  const known = new Map<string, Tallies>()
  const scopes = new Map<string, Promise<FilePath | null>>()
  const scopeOf = async (standing: Standing | null): Promise<FilePath | null> => {
    if (standing === null) return null
    const named = cleanScope(standing.account.scope)
    const place = scopes.get(named) ?? placeOf(named)
    scopes.set(named, place)
    return place
  }
  if (index.state().phase !== 'ready') return { state: 'unknown', ...found }

  let state: Effect['state'] = 'complete'
  for (const { id, username, before, after } of planned) {
    await pause()
    if (isOver()) {
      state = 'stopped'
      break
    }
    const key = keyOf(before, after)
    let tallies = known.get(key)
    if (tallies === undefined) {
      const [was, willBe] = [await scopeOf(before), await scopeOf(after)]
      const eyes = { before: before && eyeOf(before, was), after: after && eyeOf(after, willBe) }
      const places = before !== null && after !== null && was !== null ? placesOfDifference(before, after, was) : null
      const walked = await compare(eyes, { ...options, places, isOver })
      if (!walked.isComplete) state = 'stopped'
      tallies = walked.tallies
      known.set(key, tallies)
    }
    for (const side of SIDES) {
      const { what, ...tally } = tallies[side]
      if (what === NO_REACH) continue
      found[side].count += 1
      if (found[side].people.length < people) found[side].people.push({ id, username, ...tally, what: namesOf(what) })
    }
  }
  return { state, ...found }
}

/** Of two people with the same key, a change opens and closes the same. */
function keyOf(...standings: readonly (Standing | null)[]): string {
  const parts = standings.map((standing) => {
    if (standing === null) return null
    const { account, granted } = standing
    const { scope, perm, rules, hideDotfiles } = account
    return [scope, perm, rules, hideDotfiles, granted.groups.map(({ id }) => id), granted.grants.at(-1)]
  })
  return JSON.stringify(parts)
}

interface Eyes {
  readonly before: Eye | null
  readonly after: Eye | null
}

interface CompareOptions extends Pick<EffectOptions, 'index' | 'shown' | 'examples' | 'signal'> {
  /** Below these the two can differ; null for everywhere. */
  readonly places: readonly FilePath[] | null
  readonly isOver: () => boolean
}

async function compare(
  { before, after }: Eyes,
  { index, shown, examples, signal, places, isOver }: CompareOptions,
): Promise<{ isComplete: boolean; tallies: Tallies }> {
  const tallies: Tallies = { opens: nothing(), closes: nothing() }
  const listsAll = examples > FEW_EXAMPLES
  const pause = periodicYield(signal)
  let isComplete = true

  const composed = (place: FilePath): FilePath => place.normalize('NFC') as FilePath
  const mayDiffer = (place: FilePath): boolean => places === null || places.some((one) => isWithin(composed(place), one))
  const leadsThere = (folder: FilePath): boolean => mayDiffer(folder) || places?.some((one) => isWithin(one, composed(folder))) === true

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
    const enters = ({ path }: IndexedNode): boolean => !isOver() && leadsThere(path) && sumsBelow(path) === null
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
        if (node.kind === 'folder' && mayDiffer(node.path)) await countBelow(node.path)
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
