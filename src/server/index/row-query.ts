import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import { matcherOf, type SearchQuery } from '../../shared/search-query.ts'
import { BLOCK_BYTES, type Needle, needleOf, nextBlock, placeIn } from './names.ts'
import {
  childrenOf,
  FOLDER,
  folderAt,
  isGone,
  isInside,
  kindAt,
  kindName,
  nameOfRow,
  NO_ROW,
  parentFolder,
  ROOT_FOLDER,
  sizeOf,
  type Tree,
} from './tree.ts'

/** A query that returns matching rows in batches. */
export interface RowQuery {
  /** @returns null at the end; may be empty if the step took its time */
  next(most: number): number[] | null
}

/** Maximum time of one step of a search in milliseconds: other queries wait. */
const STEP_MS = 10
const ROWS_BETWEEN_CHECKS = 512
/** Up to this many entries are scanned without using the index of names. */
const FEW = 2000

/** Everything below a folder that matches a query. */
export function queryRows(tree: Tree, folder: number, query: SearchQuery): RowQuery {
  const { finds, measures } = matcherOf(query)
  const holds = (row: number): boolean => {
    const known = { kind: kindName(kindAt(tree, row)), size: sizeOf(tree, row), modified: tree.modified[row] ?? 0 }
    // Names are more expensive to compare than numbers.
    return (known.kind === 'link' || measures(known)) && finds({ ...known, name: nameOfRow(tree, row) })
  }
  const { fileSum, folderSum } = tree.folders
  const isSmall = (fileSum[folder] ?? 0) + (folderSum[folder] ?? 0) <= FEW
  const isBelow = insideOf(tree, folder)
  const needles = textsIn(query)
    .map(needleOf)
    .filter(({ bytes }) => bytes.length > 0)
  const rows = isSmall ? rowsBelow(tree, folder) : needles.length > 0 ? rowsWith(tree, needles) : allRows(tree)
  return rowQuery(rows, (row) => kindAt(tree, row) !== 0 && isBelow(row) && holds(row))
}

/** Texts of which every matching name contains at least one; empty if there are none. */
function textsIn({ words, types, extensions, allWords }: SearchQuery): readonly string[] {
  // If all words must match, the longest one is in the fewest names.
  if (allWords === true && words.length > 1) return [words.reduce((longest, word) => (word.length > longest.length ? word : longest))]
  if (words.length > 0) return words
  const isPlain = extensions.length > 0 && types.length === 0 && extensions.every((one) => /^[\x20-\x7e]+$/.test(one))
  return isPlain ? extensions.map((one) => `.${one}`) : []
}

/** Matching rows one by one, and null now and then while there are none. */
function rowQuery(rows: Generator<number | null>, wants: (row: number) => boolean): RowQuery {
  return {
    next(most) {
      const found: number[] = []
      const until = performance.now() + STEP_MS
      for (let looked = 1; found.length < most; looked++) {
        const { value: row, done } = rows.next()
        if (done === true) return found.length > 0 ? found : null
        if (row !== null && wants(row)) found.push(row)
        if ((row === null || looked % ROWS_BETWEEN_CHECKS === 0) && performance.now() > until) break
      }
      return found
    },
  }
}

function* allRows(tree: Tree): Generator<number> {
  const { rows } = tree
  for (let row = 0; row < rows; row++) yield row
}

function* rowsBelow(tree: Tree, folder: number): Generator<number> {
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const row of childrenOf(tree, next)) {
      if (kindAt(tree, row) === FOLDER) waiting.push(folderAt(tree, row))
      yield row
    }
  }
}

/** Rows whose name may contain one of the needles. A null for each block without. */
function* rowsWith(tree: Tree, needles: readonly Needle[]): Generator<number | null> {
  const { rows, names } = tree
  const { end } = names
  for (let block = nextBlock(names, needles, 0); block >= 0; block = nextBlock(names, needles, block + 1)) {
    const from = block * BLOCK_BYTES
    if (from >= end) return
    const found = new Set<number>()
    for (const needle of needles) {
      for (let at = placeIn(names, needle, from); at >= 0;) {
        const row = rowHolding(tree, rows, at)
        found.add(row)
        const beyond = tree.start[row + 1] ?? end
        at = row + 1 < rows && beyond < from + BLOCK_BYTES ? placeIn(names, needle, beyond) : -1
      }
    }
    yield* found
    yield null
  }
}

/** The last row whose name begins at or before a position. */
function rowHolding({ start }: Tree, rows: number, at: number): number {
  let low = 0
  let high = rows - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((start[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Whether rows are below a folder; results for their folders are cached. */
function insideOf(tree: Tree, folder: number): (row: number) => boolean {
  if (folder === ROOT_FOLDER) return () => true
  const known = new Map<number, boolean>()
  return (row) => {
    const parent = tree.parent[row] ?? ROOT_FOLDER
    const isIn = known.get(parent) ?? isInside(tree, parent, folder)
    known.set(parent, isIn)
    return isIn
  }
}

/** A query for everything below a folder; the caller says which folders to enter. */
export interface SubtreeQuery extends RowQuery {
  enter(folders: Iterable<number>): void
}

export function querySubtree(tree: Tree, folder: number): SubtreeQuery {
  const waiting = [folder]
  let rows: Generator<number> | null = null
  return {
    enter: (folders) => void waiting.push(...folders),
    next(most) {
      const found: number[] = []
      while (found.length < most) {
        if (rows === null) {
          const next = waiting.pop()
          if (next === undefined) break
          if (!isGone(tree, next)) rows = childrenOf(tree, next)
          continue
        }
        const { value, done } = rows.next()
        if (done === true) rows = null
        else found.push(value)
      }
      return found.length > 0 ? found : null
    },
  }
}

/** The number of a folder by its path; null if there is none. */
export function folderByPath(tree: Tree, segments: readonly string[]): number | null {
  let folder = ROOT_FOLDER
  for (const segment of segments) {
    let next: number | null = null
    for (const row of childrenOf(tree, folder))
      if (kindAt(tree, row) === FOLDER && nameOfRow(tree, row) === segment) next = folderAt(tree, row)
    if (next === null) return null
    folder = next
  }
  return folder
}

/** Entries as columns, to be transferred to another thread. */
export type IndexRows = ReturnType<typeof indexRows>

export function indexRows(tree: Tree, rows: readonly number[]) {
  const storagePaths = new Map<number, FilePath>()
  return {
    /** Joined by NUL, which names cannot contain. */
    paths: rows.map((row) => joinPath(pathOf(tree, tree.parent[row] ?? ROOT_FOLDER, storagePaths), nameOfRow(tree, row))).join('\0'),
    kinds: Uint8Array.from(rows, (row) => kindAt(tree, row)),
    sizes: Float64Array.from(rows, (row) => sizeOf(tree, row)),
    modified: Float64Array.from(rows, (row) => tree.modified[row] ?? 0),
    /** Folder numbers of those that are folders. */
    folders: Uint32Array.from(rows, (row) => (kindAt(tree, row) === FOLDER ? folderAt(tree, row) : 0)),
  }
}

function pathOf(tree: Tree, folder: number, known: Map<number, FilePath>): FilePath {
  const above = parentFolder(tree, folder)
  if (above === null) return ROOT
  const place = known.get(folder) ?? joinPath(pathOf(tree, above, known), nameOfRow(tree, tree.folders.row[folder] ?? NO_ROW))
  known.set(folder, place)
  return place
}
