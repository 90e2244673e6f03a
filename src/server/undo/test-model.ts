import { type FilePath, isWithin, joinPath, nameOf, parentOf, pathFrom, placeUnder, ROOT } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'
import type { Attributes, Step } from './step.ts'

/** A node by its path; its content is null for a folder. */
type Tree = Map<FilePath, Model>
interface Model {
  readonly content: string | null
  /** Mode and time. */
  readonly attributes: Attributes
  readonly identity: string
}

/** A disk with a trash, versions and a journal, in memory: what operations do there is plain to see. */
export function createModel() {
  const tree: Tree = new Map()
  const trash = new Map<string, Tree>()
  /** What was replaced, and folders that were merged with others. */
  const versions = new Map<string, Model>()
  const journal: JournalEntry[] = []
  let count = 0
  const fresh = (): string => String(++count).padStart(6, '0')

  function write(entry: Partial<JournalEntry> & Pick<JournalEntry, 'kind' | 'path' | 'identity' | 'folder'>): JournalEntry {
    const common = { at: count, by: { id: 1, name: 'ann', via: 'web' as const }, origin: null, size: null, modified: null }
    const nothing = { version: null, restored: null, reverts: null, kept: null }
    const full = { ...common, ...nothing, id: fresh(), group: '', state: 'done' as const, ...entry }
    journal.push(full)
    return full
  }
  const childrenOf = (path: FilePath): string[] => [...tree.keys()].flatMap((one) => (parentOf(one) === path ? [nameOf(one)] : []))
  const below = (path: FilePath): FilePath[] => [...tree.keys()].filter((one) => isWithin(one, path))
  const get = (path: FilePath) => tree.get(path) ?? problem(`nothing at ${path}`)
  const free = (path: FilePath): void => {
    if (tree.has(path)) problem(`taken: ${path}`)
    if (parentOf(path) !== ROOT && get(parentOf(path)).content !== null) problem(`no folder: ${parentOf(path)}`)
  }
  const isFile = (path: FilePath): boolean => (tree.get(path)?.content ?? null) !== null
  const made = (content: string | null): Model => ({ content, identity: fresh(), attributes: { mode: count % 4, modified: count } })
  /** What is at a path is kept, and the name is free. */
  function keepVersion(path: FilePath): string {
    const id = fresh()
    versions.set(id, get(path))
    tree.delete(path)
    return id
  }
  /** Where a file may replace another one. */
  function freeFor(path: FilePath, isReplacing: boolean): string | null {
    if (isReplacing && isFile(path)) return keepVersion(path)
    free(path)
    return null
  }
  function takeVersion(id: string): Model {
    const version = versions.get(id) ?? problem(`no version: ${id}`)
    versions.delete(id)
    return version
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
    /** Identities that were known when operations began, where they are others now. */
    begun: new Map<string, string>(),
    tree,
    trash,
    versions,
    /** Everything that is there, in order. */
    look: (): string[] =>
      [...tree]
        .map(
          ([
            path,
            {
              content,
              attributes: { mode, modified },
            },
          ]) => `${path} ${content ?? '/'} ${mode} ${modified}`,
        )
        .toSorted(),
    create(path: FilePath, content: string | null, more: More = {}): void {
      free(path)
      tree.set(path, made(content))
      write({ kind: 'create', path, identity: get(path).identity, folder: content === null, ...more })
    },
    /** Two at once make a folder, and one of them puts something into it: the other one finds the name taken. */
    createTwice(path: FilePath, { isFirstLate }: { isFirstLate: boolean }): void {
      free(path)
      const late = (): void => void write({ kind: 'create', path, identity: '', folder: true, state: 'failed' })
      if (isFirstLate) late()
      model.create(path, null)
      model.create(joinPath(path, 'in it'), 'of the first')
      if (!isFirstLate) late()
    },
    /** Over what is there, as a merge: one row for each tree that appears, and for each file that is replaced. */
    copy(from: FilePath, to: FilePath, more: More = {}): void {
      get(from)
      if (isWithin(to, from) || isWithin(from, to)) problem('inside')
      if (isFile(from) && isFile(to)) return void model.replace(to, get(from).content ?? '', more)
      if (!isFile(from) && tree.has(to) && !isFile(to))
        return childrenOf(from).forEach((name) => model.copy(joinPath(from, name), joinPath(to, name)))
      free(to)
      const some = below(from).map((path) => [pathFrom(from, path) ?? ROOT, { ...get(path), identity: fresh() }] as const)
      paste(new Map(some), to)
      write({ kind: 'copy', path: to, origin: from, identity: get(to).identity, folder: get(to).content === null, ...more })
    },
    replace(path: FilePath, content: string, more: More = {}): void {
      if (!isFile(path)) return problem('no file')
      const version = keepVersion(path)
      tree.set(path, made(content))
      write({ kind: 'replace', path, identity: get(path).identity, folder: false, version, ...more })
    },
    /** A file over a file, a folder into a folder; what is left of that goes. */
    move(from: FilePath, to: FilePath, { isReplacing = false, ...more }: More & { isReplacing?: boolean } = {}): void {
      const { identity, content } = get(from)
      if (isWithin(to, from) || isWithin(from, to)) problem('inside')
      const folder = content === null
      if (isReplacing && folder && tree.get(to)?.content === null) {
        // A rename that finds the name taken.
        write({ kind: 'move', path: to, origin: from, identity, folder, state: 'failed', ...more })
        for (const name of childrenOf(from)) model.move(joinPath(from, name), joinPath(to, name), { isReplacing, ...more })
        write({ kind: 'move', path: to, origin: from, identity: get(to).identity, folder, version: keepVersion(from), ...more })
        return
      }
      const version = freeFor(to, isReplacing && !folder)
      paste(cut(from), to)
      write({ kind: 'move', path: to, origin: from, identity, folder, version, ...more })
    },
    /** To another disk, where nothing has the name: it gets another identity, after a rename that failed. */
    moveAcross(from: FilePath, to: FilePath): void {
      const { identity, content } = get(from)
      if (isWithin(to, from)) problem('inside')
      free(to)
      write({ kind: 'move', path: to, origin: from, identity, folder: content === null, state: 'failed' })
      const some = cut(from)
      paste(some, to)
      tree.set(to, { ...get(to), identity: fresh() })
      const moved = write({ kind: 'move', path: to, origin: from, identity: get(to).identity, folder: content === null })
      model.begun.set(moved.id, identity)
    },
    remove(path: FilePath, more: More = {}): void {
      const { identity, content } = get(path)
      const entry = write({ kind: 'delete', path, identity, folder: content === null, ...more })
      Object.assign(entry, { kept: { volume: ROOT, id: entry.id } })
      trash.set(entry.id, cut(path))
    },
    restore(id: string, to: FilePath, { isReplacing = false, ...more }: More & { isReplacing?: boolean } = {}): void {
      const some = trash.get(id) ?? problem(`not in the trash: ${id}`)
      const version = freeFor(to, isReplacing && (some.get(ROOT)?.content ?? null) !== null)
      trash.delete(id)
      paste(some, to)
      const { identity, content } = get(to)
      write({ kind: 'restore', path: to, identity, folder: content === null, version, kept: { volume: ROOT, id }, ...more })
    },
    /** As a save: with a time of its own. */
    restoreVersion(path: FilePath, id: string): void {
      if (!isFile(path) || versions.get(id)?.content === null) problem('no file')
      const { attributes: was, ...old } = takeVersion(id)
      const version = keepVersion(path)
      tree.set(path, { ...made(''), ...old })
      write({ kind: 'replace', path, identity: old.identity, folder: false, version, restored: { version: id, was } })
    },
    /** What was replaced is a node again. */
    bringBack(path: FilePath, id: string, more: More): void {
      free(path)
      const node = takeVersion(id)
      tree.set(path, node)
      write({ kind: 'create', path, identity: node.identity, folder: node.content === null, restored: { version: id, was: null }, ...more })
    },
    /** The content is that of before; with attributes, a copy that has these. */
    putBack(path: FilePath, { version: id, attributes }: Pick<Step, 'version' | 'attributes'>, more: More): void {
      if (attributes !== null) {
        const { content } = (id === null ? get(path) : versions.get(id)) ?? problem(`no version: ${id}`)
        model.replace(path, content ?? problem('a folder'), more)
        tree.set(path, { ...get(path), attributes })
        return
      }
      const node = takeVersion(id ?? problem(`nothing kept of ${path}`))
      const version = keepVersion(path)
      tree.set(path, node)
      write({ kind: 'replace', path, identity: node.identity, folder: false, version, restored: { version: id ?? '', was: null }, ...more })
    },
    /** Does a step as the server would: checks first that the node is as it was left. */
    /** @param removed ids of the deletions so far, by their steps */
    run(
      { change, path, to, left, inside, deletion, aside, version, attributes, entry, problem: known }: Step,
      removed: ReadonlyMap<Step, string>,
      more: More = {},
    ): void {
      const by = { ...more, reverts: entry.id }
      if (known !== null) return problem(`${change} ${path}: ${known}`)
      if (left !== null && left.identity !== '' && get(path).identity !== left.identity) return problem(`${change} ${path}: another node`)
      if (change === 'move') return model.move(path, to ?? problem('nowhere'), by)
      if (change === 'restore' && version !== null) return model.bringBack(path, version, by)
      if (change === 'restore') return model.restore((aside === null ? deletion?.id : removed.get(aside)) ?? problem('nothing'), path, by)
      if (change === 'content') return model.putBack(path, { version, attributes }, by)
      const expected = new Map(inside?.map((one) => [placeUnder(path, one.path), one.identity]))
      const whole = inside?.filter(({ isWhole }) => isWhole).map((one) => placeUnder(path, one.path)) ?? [path]
      for (const one of below(path).filter((node) => node !== path && !whole.some((outer) => isWithin(node, outer))))
        if ((expected.get(one) || get(one).identity) !== get(one).identity || !expected.has(one)) problem(`remove ${path}: ${one} in it`)
      return model.remove(path, by)
    },
  }
  return model
}

function problem(text: string): never {
  throw new Error(text)
}
