import { fail, nullOn } from '../../shared/errors.ts'
import { type FilePath, joinPath, pathFrom, placeUnder, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { packNames } from '../../shared/packed-names.ts'
import { relocated } from './relocated.ts'
import { stageAmong } from './rooted-staging.ts'
import { type Columns, type Kept, pathOf, pickRows, type Stat, type Storage, type Where } from './storage.ts'

/** A folder of the tree that is another storage. */
export interface FurtherRoot {
  /** In the top folder. */
  readonly name: string
  readonly storage: Storage
  readonly isReadOnly?: boolean
  /** Whether its disk is not connected, as of the last call. */
  readonly isAway?: () => boolean
}

export interface RootedOptions {
  readonly main: Storage
  readonly roots: readonly FurtherRoot[]
}

/** A folder whose storage does not answer now. */
const UNKNOWN_FOLDER: Pick<Stat, 'size' | 'modified' | 'mode' | 'identity'> = { size: 0, modified: 0, mode: 0o40755, identity: '' }
/** How long a listing of the top folder waits for the state of the other roots. */
const LOOK_MS = 250

/**
 * Several storages in one tree: the main one, and further roots as folders in its top folder, which hide what it has under their names. Between two of
 * them nothing is renamed, and no link leads from one into another. A root itself stays: it cannot be moved, removed or replaced.
 */
export function createRootedStorage({ main, roots }: RootedOptions): Storage {
  const byName = new Map(
    roots.map(({ name, storage }) => {
      const top = joinPath(ROOT, name)
      const inner = (path: FilePath): FilePath => pathFrom(top, path) ?? ROOT
      return [name, { top, storage: relocated(storage, { inner, outer: (path) => placeUnder(top, path) }) }]
    }),
  )
  const further = [...byName.values()]
  const all = [main, ...further.map(({ storage }) => storage)]

  const rootAt = (path: FilePath) => byName.get(segmentsOf(path)[0] ?? '')
  const storageAt = (path: FilePath): Storage => rootAt(path)?.storage ?? main
  const of = (where: Where): Storage => storageAt(pathOf(where))
  const isRoot = (where: Where): boolean => rootAt(pathOf(where))?.top === pathOf(where)
  const keptBy = ({ volume }: Kept): Storage => storageAt(volume)

  /** Without a place for the old content in another root: it cannot be renamed to there. */
  function keepingIn<Options extends { readonly keep?: Kept }>(storage: Storage, options: Options): Options {
    if (options.keep === undefined || keptBy(options.keep) === storage) return options
    const { keep: _, ...others } = options
    return others as Options
  }

  /** What all answer that answer at all; the main one must. */
  async function fromAll<T>(ask: (storage: Storage) => Promise<readonly T[]>): Promise<T[]> {
    const answers = await Promise.all(all.map((storage) => (storage === main ? ask(storage) : nullOn('storage-busy', ask(storage)))))
    return answers.flatMap((answer) => answer ?? [])
  }

  /** As each root looked last. */
  const latest = new Map<FilePath, Stat>()

  /** The top folder of a root as its row in a listing; a disk that is slow or away holds nobody up. */
  async function rowOf({ top, storage }: { top: FilePath; storage: Storage }) {
    const look = async (): Promise<void> => {
      const stat = await storage.stat(top)
      if (stat !== null) latest.set(top, stat)
    }
    // Opening it tells the reason.
    const looking = look().catch(() => undefined)
    await Promise.race([looking, Bun.sleep(LOOK_MS)])
    return latest.get(top) ?? UNKNOWN_FOLDER
  }

  async function listTop(own: Columns): Promise<Columns> {
    const rows = await Promise.all(further.map(rowOf))
    const shown = withoutRoots(own)
    return {
      names: packNames([...shown.names, ...byName.keys()]),
      sizes: Float64Array.from([...shown.sizes, ...rows.map(({ size }) => size)]),
      modified: Float64Array.from([...shown.modified, ...rows.map(({ modified }) => modified)]),
      modes: Uint32Array.from([...shown.modes, ...rows.map(({ mode }) => mode)]),
      ...(shown.identities && { identities: packNames([...shown.identities, ...rows.map(({ identity }) => identity)]) }),
    }
  }

  function withoutRoots(columns: Columns): Columns {
    const names = [...columns.names]
    if (!names.some((name) => byName.has(name))) return columns
    return pickRows(
      columns,
      [...names.keys()].filter((row) => !byName.has(names[row] ?? '')),
    )
  }

  /** Names of roots are folders, which the top folder itself does not have as files. */
  const ownNames = (folder: Where, names: readonly string[]): readonly string[] =>
    pathOf(folder) === ROOT ? names.map((name) => (byName.has(name) ? '' : name)) : names

  const readOnly = new Set(roots.filter(({ isReadOnly }) => isReadOnly === true).map(({ name }) => name))

  return {
    exclusively: main.exclusively,
    isReadOnly: readOnly.size === 0 ? undefined : (path) => readOnly.has(segmentsOf(path)[0] ?? ''),
    isFixed: isRoot,
    awayIn: (folder) => (folder === ROOT ? roots.filter(({ isAway }) => isAway?.() === true).map(({ name }) => name) : []),
    async find(path, options) {
      const storage = storageAt(path)
      const handle = await storage.find(path, options)
      if (storageAt(handle.path) === storage) return handle
      // A link, or another spelling, that leads to what a root hides.
      handle[Symbol.dispose]()
      return fail('not-found', { path })
    },
    stat: async (where) => of(where).stat(where),
    async list(where, options = {}) {
      if (pathOf(where) !== ROOT) return of(where).list(where, options)
      // The early names would lack the roots.
      const { onNames: _, ...others } = options
      return listTop(await main.list(where, others))
    },
    open: async (where) => of(where).open(where),
    readNow: (path) => storageAt(path).readNow?.(path) ?? null,
    readable: async (folder, names) => of(folder).readable(folder, ownNames(folder, names)),
    readSmall: async (folder, names, options) => of(folder).readSmall(folder, ownNames(folder, names), options),
    makeFolder: async (where) => (isRoot(where) ? fail('already-exists', { path: pathOf(where) }) : of(where).makeFolder(where)),
    async move(from, to, options) {
      const storage = of(to)
      if (of(from) === storage) return storage.move(from, to, keepingIn(storage, options))
      return isRoot(from) || isRoot(to) ? fail('busy', {}) : false
    },
    remove: async (where) => (isRoot(where) ? fail('busy', {}) : of(where).remove(where)),
    keepingVolume: async (where) => (isRoot(where) ? null : of(where).keepingVolume(where)),
    async keep(where, kept) {
      if (isRoot(where)) fail('busy', {})
      const storage = of(where)
      return keptBy(kept) === storage ? storage.keep(where, kept) : null
    },
    statKept: async (kept) => keptBy(kept).statKept(kept),
    resetKept: async (kept, attributes) => keptBy(kept).resetKept(kept, attributes),
    listKept: async (kept, path) => keptBy(kept).listKept(kept, path),
    openKept: async (kept, path) => keptBy(kept).openKept(kept, path),
    async restoreKept(kept, to, options) {
      if (isRoot(to)) fail('already-exists', { path: pathOf(to) })
      const storage = of(to)
      return keptBy(kept) === storage && storage.restoreKept(kept, to, keepingIn(storage, options))
    },
    dropKept: async (kept, options) => keptBy(kept).dropKept(kept, options),
    keptNodes: (area) => fromAll((storage) => storage.keptNodes(area)),
    async privatePlaces(folder) {
      if (folder !== ROOT) return storageAt(folder).privatePlaces(folder)
      return fromAll(async (storage) => storage.privatePlaces(further.find((root) => root.storage === storage)?.top ?? ROOT))
    },
    onPrivateUse(before) {
      for (const storage of all) storage.onPrivateUse(before)
    },
    async learnVolumes(volumes) {
      for (const storage of all)
        await nullOn('storage-busy', storage.learnVolumes(volumes.filter((volume) => storageAt(volume) === storage)))
    },
    stage: (id, options) => stageAmong({ id, options, own: of(options.near), all, of, keepingIn, isRoot }),
    staged: () => fromAll((storage) => storage.staged()),
    watch: async (folder, onChange) => of(folder).watch(folder, onChange),
    folderMark: async (where, options) => of(where).folderMark(where, options),
    space: async (where) => of(where).space(where),
  }
}
