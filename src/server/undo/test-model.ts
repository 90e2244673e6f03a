import { type FilePath, isWithin, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Step } from './plan.ts'

/** A node by its path; null for a folder. */
type Tree = Map<FilePath, { readonly content: string | null; readonly identity: string }>

/** A disk with a trash, versions and a journal, in memory: what operations do there is plain to see. */
export function createModel() {
  const tree: Tree = new Map()
  const trash = new Map<string, Tree>()
  const versions = new Map<string, { content: string; identity: string }>()
  const journal: JournalEntry[] = []
  let count = 0
  const fresh = (): string => String(++count).padStart(6, '0')

  function write(entry: Partial<JournalEntry> & Pick<JournalEntry, 'kind' | 'path' | 'identity' | 'folder'>): JournalEntry {
    const common = { at: count, by: { id: 1, name: 'ann', via: 'web' as const }, origin: null, size: null, modified: null, version: null }
    const full = { ...common, id: fresh(), group: '', reverts: null, state: 'done' as const, kept: null, ...entry }
    journal.push(full)
    return full
  }
  const below = (path: FilePath): FilePath[] => [...tree.keys()].filter((one) => isWithin(one, path))
  const get = (path: FilePath) => tree.get(path) ?? problem(`nothing at ${path}`)
  const free = (path: FilePath): void => {
    if (tree.has(path)) problem(`taken: ${path}`)
    if (parentOf(path) !== ROOT && get(parentOf(path)).content !== null) problem(`no folder: ${parentOf(path)}`)
  }
  /** Removes and returns it with everything below it, by paths from itself. */
  function cut(path: FilePath): Tree {
    get(path)
    const some: Tree = new Map()
    for (const one of below(path)) {
      some.set(pathFrom(path, one) ?? ROOT, get(one))
      tree.delete(one)
    }
    return some
  }
  const paste = (some: Tree, to: FilePath): void => some.forEach((node, path) => void tree.set(placeUnder(to, path), node))
  type More = Partial<Pick<JournalEntry, 'reverts' | 'by' | 'group'>>

  const model = {
    journal,
    tree,
    trash,
    /** Everything that is there, in order. */
    look: (): string[] => [...tree].map(([path, { content }]) => `${path} ${content ?? '/'}`).toSorted(),
    create(path: FilePath, content: string | null, more: More = {}): void {
      free(path)
      const identity = fresh()
      tree.set(path, { content, identity })
      write({ kind: 'create', path, identity, folder: content === null, ...more })
    },
    copy(from: FilePath, to: FilePath, more: More = {}): void {
      free(to)
      if (isWithin(to, from)) problem('inside')
      const some = below(from).map((path) => [pathFrom(from, path) ?? ROOT, { ...get(path), identity: fresh() }] as const)
      paste(new Map(some), to)
      write({ kind: 'copy', path: to, origin: from, identity: get(to).identity, folder: get(to).content === null, ...more })
    },
    replace(path: FilePath, content: string, more: More = {}): void {
      const old = get(path)
      if (old.content === null) return problem('a folder')
      const version = fresh()
      versions.set(version, { content: old.content, identity: old.identity })
      tree.set(path, { content, identity: fresh() })
      write({ kind: 'replace', path, identity: get(path).identity, folder: false, version, ...more })
    },
    move(from: FilePath, to: FilePath, more: More = {}): void {
      free(to)
      if (isWithin(to, from)) problem('inside')
      const { identity, content } = get(from)
      paste(cut(from), to)
      write({ kind: 'move', path: to, origin: from, identity, folder: content === null, ...more })
    },
    remove(path: FilePath, more: More = {}): void {
      const { identity, content } = get(path)
      const entry = write({ kind: 'delete', path, identity, folder: content === null, ...more })
      Object.assign(entry, { kept: { volume: ROOT, id: entry.id } })
      trash.set(entry.id, cut(path))
    },
    restore(id: string, to: FilePath, more: More = {}): void {
      const some = trash.get(id) ?? problem(`not in the trash: ${id}`)
      free(to)
      trash.delete(id)
      paste(some, to)
      const { identity, content } = get(to)
      write({ kind: 'restore', path: to, identity, folder: content === null, kept: { volume: ROOT, id }, ...more })
    },
    restoreVersion(path: FilePath, id: string, more: More): void {
      const version = versions.get(id) ?? problem(`no version: ${id}`)
      versions.delete(id)
      model.replace(path, version.content, more)
      tree.set(path, version)
      Object.assign(journal.at(-1) ?? {}, { identity: version.identity })
    },
    /** Does a step as the server would: checks first that the node is as it was left. */
    /** @param removed ids of the deletions so far, by their steps */
    run(
      { change, path, to, left, inside, deletion, aside, version, entry, problem: known }: Step,
      removed: ReadonlyMap<Step, string>,
      more: More = {},
    ): void {
      const by = { ...more, reverts: entry.id }
      if (known !== null) return problem(`${change} ${path}: ${known}`)
      if (left !== null && get(path).identity !== left.identity) return problem(`${change} ${path}: another node`)
      if (change === 'move') return model.move(path, to ?? problem('nowhere'), by)
      if (change === 'restore') return model.restore((aside === null ? deletion?.id : removed.get(aside)) ?? problem('nothing'), path, by)
      if (change === 'content') return model.restoreVersion(path, version ?? problem(`nothing kept of ${path}`), by)
      const expected = new Map(inside?.map((one) => [placeUnder(path, one.path), one.identity]))
      const whole = inside?.filter(({ isWhole }) => isWhole).map((one) => placeUnder(path, one.path)) ?? [path]
      for (const one of below(path).filter((node) => node !== path && !whole.some((outer) => isWithin(node, outer))))
        if (expected.get(one) !== get(one).identity) problem(`remove ${path}: ${one} in it`)
      return model.remove(path, by)
    },
  }
  return model
}

function problem(text: string): never {
  throw new Error(text)
}
