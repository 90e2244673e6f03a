import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, segmentProblem, segmentsOf } from '../../shared/file-path.ts'
import type { LeftOut } from './snapshot-pattern.ts'
import { type Columns, pathOf, pickRows, type Storage, type Where } from './storage.ts'

/** What no listing shows and no path reaches: the snapshots below the root, and their folder if nothing else can be in it. */
export function hiddenBy({ folder, prefix, suffix }: LeftOut): ((path: FilePath) => boolean) | null {
  const isWhole = prefix === '' && suffix === ''
  // Every name at the top would be hidden.
  if (isWhole && folder.length === 0) return null
  // A disk may ignore the case of names.
  const parts = folder.map(folded)
  const [start, end] = [folded(prefix), folded(suffix)]
  return (path) => {
    const segments = segmentsOf(path)
    if (segments.length < parts.length || parts.some((part, i) => part !== folded(segments[i] ?? ''))) return false
    if (isWhole) return true
    const name = folded(segments[parts.length] ?? '')
    return name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end)
  }
}

/** The same storage without the snapshots below its root, which are shown by views of their own, by the rules of what they are snapshots of. */
export function withoutSnapshots(storage: Storage, leftOut: LeftOut): Storage {
  const isHidden = hiddenBy(leftOut)
  if (isHidden === null) return storage
  const parents = new Set([leftOut.folder, leftOut.folder.slice(0, -1)].map((segments) => folded(`/${segments.join('/')}`)))
  const shown = <W extends Where>(where: W): W => (isHidden(pathOf(where)) ? fail('not-found', { path: pathOf(where) }) : where)
  const mayHold = (where: Where): boolean => parents.has(folded(pathOf(where)))
  const isShownIn = (where: Where, name: string): boolean => segmentProblem(name) !== null || !isHidden(joinPath(pathOf(where), name))
  /** A name that no node has takes the place of a hidden one. */
  const shownNames = (folder: Where, names: readonly string[]): readonly string[] =>
    mayHold(folder) ? names.map((name) => (isShownIn(folder, name) ? name : '')) : names

  return {
    ...storage,
    async find(path, options) {
      const handle = await storage.find(shown(path), options)
      if (!isHidden(handle.path)) return handle
      handle[Symbol.dispose]()
      return fail('not-found', { path })
    },
    stat: async (where) => (isHidden(pathOf(where)) ? null : storage.stat(where)),
    async list(where, options = {}) {
      if (!mayHold(shown(where))) return storage.list(where, options)
      const { onNames: _, ...rest } = options
      return shownIn(await storage.list(where, rest), (name) => isShownIn(where, name))
    },
    open: async (where) => storage.open(shown(where)),
    ...(storage.readNow && { readNow: (path) => (isHidden(path) ? null : (storage.readNow?.(path) ?? null)) }),
    readable: async (folder, names) => storage.readable(shown(folder), shownNames(folder, names)),
    readSmall: async (folder, names, options) => storage.readSmall(shown(folder), shownNames(folder, names), options),
    makeFolder: async (where) => storage.makeFolder(shown(where)),
    move: async (from, to, options) => storage.move(shown(from), shown(to), options),
    remove: async (where) => storage.remove(shown(where)),
    keep: async (where, kept) => storage.keep(shown(where), kept),
    restoreKept: async (kept, to, options) => storage.restoreKept(kept, shown(to), options),
    async watch(folder, onChange) {
      return storage.watch(shown(folder), (name) => void (isShownIn(folder, name) && onChange(name)))
    },
    folderMark: async (where, options) => storage.folderMark(shown(where), options),
  }
}

function shownIn(columns: Columns, isShown: (name: string) => boolean): Columns {
  const rows: number[] = []
  for (const row of columns.names.keys()) if (isShown(columns.names.at(row) ?? '')) rows.push(row)
  if (rows.length === columns.names.length) return columns
  return pickRows(columns, rows)
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
