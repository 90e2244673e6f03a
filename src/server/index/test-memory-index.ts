import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT } from '../../shared/file-path.ts'
import { matcherOf } from '../../shared/search-query.ts'
import { kindOf, type Storage } from '../storage/storage.ts'
import type { ChildSums, Counted, IndexedNode, Sums, TreeIndex } from './tree-index.ts'

export interface MemoryIndex extends TreeIndex {
  /** Reads the whole tree; until then, results are "not known". */
  read(): Promise<void>
}

const BATCH = 100

/** For small trees and as a test oracle: every query scans everything. */
export function createMemoryIndex(storage: Storage): MemoryIndex {
  let all: readonly IndexedNode[] | null = null

  /** What is below a folder; null if there is none, or nothing has been read. */
  function inside(folder: FilePath): readonly IndexedNode[] | null {
    const isKnown = folder === ROOT || all?.some(({ path, kind }) => path === folder && kind === 'folder')
    return all !== null && isKnown === true ? all.filter(({ path }) => path !== folder && isWithin(path, folder)) : null
  }

  return {
    state: () => ({ phase: all === null ? 'building' : 'ready', entries: all?.length ?? 0 }),
    async read() {
      const found: IndexedNode[] = []
      await readBelow(storage, ROOT, found)
      all = found
    },
    async find(folder, query, signal) {
      const { finds } = matcherOf(query)
      const found = inside(folder)?.filter((known) => finds({ ...known, name: nameOf(known.path) }))
      return found === undefined ? null : inBatches(found, signal)
    },
    async below(folder, { signal, enters = () => true }) {
      const found = inside(folder)
      if (found === null) return null
      const closed = new Set<FilePath>()
      const open: IndexedNode[] = []
      for (const known of found) {
        const isHidden = closed.has(parentOf(known.path))
        if (known.kind === 'folder' && (isHidden || !(await enters(known)))) closed.add(known.path)
        if (!isHidden) open.push(known)
      }
      return inBatches(open, signal)
    },
    async sums(folder, counted) {
      const found = countedIn(inside(folder), folder, counted)
      return found && sumOf(found)
    },
    async childSums(folder, counted) {
      const found = countedIn(inside(folder), folder, counted)
      return (
        found && found.filter(({ path, kind }) => kind === 'folder' && parentOf(path) === folder).map((known) => withSums(known, found))
      )
    },
    async fingerprints(folder, { children }) {
      const found = inside(folder)
      if (found === null) return null
      const textOf = (of: FilePath): string =>
        found
          .filter(({ path }) => path !== of && isWithin(path, of))
          .map(({ path, kind, size, modified }) => `${path.slice(of.length)} ${kind} ${size} ${modified}`)
          .toSorted()
          .join('\n')
      const folders = children ? found.filter(({ path, kind }) => kind === 'folder' && parentOf(path) === folder) : []
      return { own: textOf(folder), children: new Map(folders.map(({ path }) => [nameOf(path), textOf(path)])) }
    },
    stop: async () => undefined,
  }
}

/** A folder before its content. */
async function readBelow(storage: Storage, folder: FilePath, found: IndexedNode[]): Promise<void> {
  const { names, sizes, modified, modes } = await storage.list(folder)
  for (const [row, name] of [...names].entries()) {
    const known = { path: joinPath(folder, name), kind: kindOf(modes[row] ?? 0), size: sizes[row] ?? 0, modified: modified[row] ?? 0 }
    found.push(known)
    if (known.kind === 'folder') await readBelow(storage, known.path, found)
  }
}

function withSums(known: IndexedNode, all: readonly IndexedNode[]): ChildSums {
  return { known, sums: sumOf(all.filter(({ path }) => path !== known.path && isWithin(path, known.path))) }
}

function countedIn(all: readonly IndexedNode[] | null, folder: FilePath, { dotfiles }: Counted): readonly IndexedNode[] | null {
  return dotfiles ? all : (all?.filter(({ path }) => !path.slice(folder === ROOT ? 0 : folder.length).includes('/.')) ?? null)
}

function sumOf(all: readonly IndexedNode[]): Sums {
  const files = all.filter(({ kind }) => kind !== 'folder')
  return { files: files.length, folders: all.length - files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

async function* inBatches(all: readonly IndexedNode[], signal: AbortSignal): AsyncGenerator<readonly IndexedNode[]> {
  for (let at = 0; at < all.length; at += BATCH) {
    signal.throwIfAborted()
    yield all.slice(at, at + BATCH)
  }
}
