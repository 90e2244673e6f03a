import { type FilePath, isWithin, joinPath } from '../../shared/file-path.ts'
import type { ChildSums, Known, Sums, TreeIndex } from '../index/tree-index.ts'
import type { Storage } from '../storage/storage.ts'

/** For tests: an index that is never late, because it reads the whole storage for every answer. Does not find. */
export function alwaysFresh(storage: Storage): TreeIndex {
  async function all(folder: FilePath, enters: (known: Known) => boolean = () => true): Promise<Known[]> {
    const found: Known[] = []
    for (const name of (await storage.list(folder)).names) {
      const path = joinPath(folder, name)
      const stat = await storage.stat(path)
      if (stat === null) continue
      const known = { path, kind: stat.kind, size: stat.size, modified: stat.modified }
      found.push(known)
      if (stat.kind === 'folder' && enters(known)) found.push(...(await all(path, enters)))
    }
    return found
  }

  async function sums(folder: FilePath): Promise<Sums> {
    return addUp(await all(folder))
  }

  return {
    state: () => ({ phase: 'ready', entries: 0 }),
    find: async () => null,
    async below(folder, { enters }) {
      const batch = await all(folder, enters)
      return (async function* () {
        yield batch
      })()
    },
    sums,
    async childSums(folder) {
      const children: ChildSums[] = []
      for (const known of await all(folder, () => false))
        children.push({ known, sums: known.kind === 'folder' ? await sums(known.path) : null })
      return children
    },
    stop: async () => {},
  }
}

/** What lies in a folder, of a list of nodes. */
export function addUp(nodes: readonly Known[], inside?: FilePath): Sums {
  const some = nodes.filter(({ path }) => inside === undefined || (path !== inside && isWithin(path, inside)))
  const others = some.filter(({ kind }) => kind !== 'folder')
  return {
    files: others.length,
    folders: some.length - others.length,
    bytes: others.reduce((bytes, { kind, size }) => bytes + (kind === 'special' ? 0 : size), 0),
  }
}
