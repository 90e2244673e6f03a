import { type FilePath, joinPath, nameOf, pathFrom, placeUnder, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { matcherOf } from '../../shared/search-query.ts'
import { type ChildSums, type IndexedNode, NO_INDEX, type TreeIndex } from './tree-index.ts'

export interface IndexedRoot {
  /** Its folder's name in the top folder. */
  readonly name: string
  readonly index: TreeIndex
  /** Nothing of a root that is away is counted or found. */
  readonly isAway: () => boolean
}

export interface RootedIndexOptions {
  readonly main: TreeIndex
  readonly roots: readonly IndexedRoot[]
}

interface Part {
  readonly top: FilePath
  readonly index: TreeIndex
  readonly isAway: () => boolean
}

/** The indexes of all roots as one: each knows its own tree, and the top folder is joined from all. */
export function createRootedIndex({ main, roots }: RootedIndexOptions): TreeIndex {
  const parts: readonly Part[] = roots.map(({ name, index, isAway }) => ({ top: joinPath(ROOT, name), index, isAway }))
  const byName = new Map(parts.map((part) => [nameOf(part.top), part]))
  const partOf = (path: FilePath) => byName.get(segmentsOf(path)[0] ?? '')
  const connected = (): readonly Part[] => parts.filter(({ isAway }) => !isAway())
  const isOfMain = ({ path }: IndexedNode): boolean => partOf(path) === undefined

  /** What each of these says, or null if one does not know. */
  async function all<T>(answers: readonly Promise<T | null>[]): Promise<T[] | null> {
    const told = await Promise.all(answers)
    const known = told.filter((one) => one !== null)
    return known.length === told.length ? known : null
  }

  return {
    state() {
      const states = [main, ...connected().map(({ index }) => index)].map((index) => index.state())
      const phase = states.some((one) => one.phase === 'off')
        ? 'off'
        : states.some((one) => one.phase === 'building')
          ? 'building'
          : 'ready'
      return { phase, entries: states.reduce((sum, { entries }) => sum + entries, 0) }
    },

    async find(folder, query, signal) {
      const part = partOf(folder)
      if (part !== undefined) {
        const found = await part.index.find(inside(part, folder), query, signal)
        return found && batchesOf(part, found)
      }
      if (folder !== ROOT) return main.find(folder, query, signal)
      const there = connected()
      const { finds } = matcherOf(query)
      const tops = there.map(topNode).filter((node) => finds({ ...node, name: nameOf(node.path) }))
      const found = await all([main.find(ROOT, query, signal), ...there.map(({ index }) => index.find(ROOT, query, signal))])
      if (found === null) return null
      const [own, ...others] = found
      return inTurn([
        ...(own === undefined ? [] : [onlyThose(own, isOfMain)]),
        batchOf(tops),
        ...others.map((batches, at) => batchesOf(there[at], batches)),
      ])
    },

    async below(folder, options) {
      const part = partOf(folder)
      if (part !== undefined) {
        const found = await part.index.below(inside(part, folder), entering(part, options))
        return found && batchesOf(part, found)
      }
      if (folder !== ROOT) return main.below(folder, options)
      const there = connected()
      const { enters = () => true } = options
      const own = await main.below(ROOT, { ...options, enters: async (node) => isOfMain(node) && (await enters(node)) })
      const others = await all(there.map((one) => one.index.below(ROOT, entering(one, options))))
      if (own === null || others === null) return null
      return inTurn([onlyThose(own, isOfMain), ...there.map((one, at) => withTop(one, others[at], enters))])
    },

    async sums(folder, counted) {
      const part = partOf(folder)
      if (part !== undefined) return part.index.sums(inside(part, folder), counted)
      if (folder !== ROOT) return main.sums(folder, counted)
      const there = connected()
      const sums = await all([main.sums(ROOT, counted), ...there.map(({ index }) => index.sums(ROOT, counted))])
      if (sums === null) return null
      const add = (of: 'files' | 'folders' | 'bytes'): number => sums.reduce((sum, one) => sum + one[of], 0)
      return { files: add('files'), folders: add('folders') + there.length, bytes: add('bytes') }
    },

    async childSums(folder, counted) {
      const part = partOf(folder)
      if (part !== undefined) {
        const children = await part.index.childSums(inside(part, folder), counted)
        return children && children.map(({ known, sums }) => ({ known: outside(part, known), sums }))
      }
      const own = await main.childSums(folder, counted)
      if (folder !== ROOT || own === null) return own
      const there = connected()
      const sums = await all(there.map(({ index }) => index.sums(ROOT, counted)))
      if (sums === null) return null
      const others = sums.flatMap((one, at): ChildSums[] => {
        const root = there[at]
        return root === undefined ? [] : [{ known: topNode(root), sums: one }]
      })
      return [...own.filter(({ known }) => isOfMain(known)), ...others]
    },

    async fingerprints(folder, asked) {
      const part = partOf(folder)
      if (part !== undefined) return part.index.fingerprints(inside(part, folder), asked)
      const own = await main.fingerprints(folder, asked)
      if (folder !== ROOT || own === null) return own
      const prints = await all(parts.map((one) => printOf(one)))
      if (prints === null) return null
      const named = prints.map((print, at) => [nameOf(parts[at]?.top ?? ROOT), print] as const)
      const text = [own.own, ...named.flat()].join('\0')
      return {
        own: Bun.hash(text).toString(16),
        children: asked.children ? new Map([...[...own.children].filter(([name]) => !byName.has(name)), ...named]) : new Map(),
      }
    },

    async stop() {
      await Promise.all([main, ...parts.map(({ index }) => index)].map((index) => index.stop()))
    },
  }
}

/** An index that exists only while its disk is connected. */
export interface AttachedIndex extends TreeIndex {
  /** Begins with the folder at this path, or ends with null. */
  attach(folder: string | null): void
}

export function createAttachedIndex(open: (folder: string) => TreeIndex): AttachedIndex {
  let index: TreeIndex = NO_INDEX
  /** One after the other: they save to the same file. */
  let ready: Promise<void> = Promise.resolve()

  async function replace(before: Promise<void>, folder: string | null): Promise<void> {
    await before
    const former = index
    index = NO_INDEX
    await former.stop()
    if (folder !== null) index = open(folder)
  }

  return {
    state: () => index.state(),
    find: (folder, query, signal) => index.find(folder, query, signal),
    below: (folder, options) => index.below(folder, options),
    sums: (folder, counted) => index.sums(folder, counted),
    childSums: (folder, counted) => index.childSums(folder, counted),
    fingerprints: (folder, asked) => index.fingerprints(folder, asked),
    attach: (folder) => void (ready = replace(ready, folder)),
    async stop() {
      await ready
      await index.stop()
      index = NO_INDEX
    },
  }
}

function inside({ top }: Part, folder: FilePath): FilePath {
  return pathFrom(top, folder) ?? ROOT
}

function outside({ top }: Part, node: IndexedNode): IndexedNode {
  return { ...node, path: placeUnder(top, node.path) }
}

/** The folder of a root, as a search finds it. */
function topNode({ top }: Part): IndexedNode {
  return { path: top, kind: 'folder', size: 0, modified: 0 }
}

async function printOf({ index, isAway }: Part): Promise<string | null> {
  return isAway() ? 'away' : ((await index.fingerprints(ROOT, { children: false }))?.own ?? null)
}

type Batches = AsyncIterable<readonly IndexedNode[]>
type BelowOptions = Parameters<TreeIndex['below']>[1]

function entering(part: Part, { enters, ...options }: BelowOptions): BelowOptions {
  return enters === undefined ? options : { ...options, enters: (node) => enters(outside(part, node)) }
}

async function* batchesOf(part: Part | undefined, batches: Batches): Batches {
  if (part === undefined) return
  for await (const batch of batches) yield batch.map((node) => outside(part, node))
}

async function* withTop(part: Part, batches: Batches | undefined, enters: NonNullable<BelowOptions['enters']>): Batches {
  const top = topNode(part)
  yield [top]
  if (batches !== undefined && (await enters(top))) yield* batchesOf(part, batches)
}

async function* onlyThose(batches: Batches, isWanted: (node: IndexedNode) => boolean): Batches {
  for await (const batch of batches) yield batch.filter(isWanted)
}

async function* batchOf(nodes: readonly IndexedNode[]): Batches {
  if (nodes.length > 0) yield nodes
}

async function* inTurn(parts: readonly Batches[]): Batches {
  for (const part of parts) yield* part
}
