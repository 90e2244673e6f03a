import { AppError, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Kept, NodeHandle, StagedFile, Storage, Where } from './storage.ts'

/** How paths outside correspond to those of the storage itself. */
export interface Relocation {
  inner(path: FilePath): FilePath
  outer(path: FilePath): FilePath
}

/** A storage whose nodes have other paths than its own: those of one root among several. */
export function relocated(storage: Storage, { inner, outer }: Relocation): Storage {
  const handles = new WeakMap<NodeHandle, NodeHandle>()
  const keptInside = (kept: Kept): Kept => ({ ...kept, volume: inner(kept.volume) })
  const keptOutside = (kept: Kept): Kept => ({ ...kept, volume: outer(kept.volume) })
  const keeping = <Options extends { readonly keep?: Kept }>(options: Options): Options =>
    options.keep === undefined ? options : { ...options, keep: keptInside(options.keep) }

  function at(where: Where): Where {
    if (typeof where === 'string') return inner(where)
    const handle = handles.get(where)
    if (handle === undefined) throw new Error('a node was used after it was closed')
    return handle
  }

  function held(handle: NodeHandle): NodeHandle {
    const shown: NodeHandle = {
      path: outer(handle.path),
      stat: handle.stat,
      [Symbol.dispose]() {
        if (handles.delete(shown)) handle[Symbol.dispose]()
      },
    }
    handles.set(shown, handle)
    return shown
  }

  /** Gives the path in an error its outer form. */
  async function told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isAppError(error, 'already-exists'))
        throw new AppError('already-exists', { path: outer(error.detail.path as FilePath) }, { cause: error })
      throw error
    }
  }

  function stagedFile(staged: StagedFile): StagedFile {
    return {
      ...staged,
      copyFrom: (where, options) => told(async () => staged.copyFrom(at(where), options)),
      commit: (where, options) => told(async () => staged.commit(at(where), keeping(options))),
    }
  }

  return {
    async find(path, { passes, ...options }) {
      const passesOutside = passes && ((node: FilePath): boolean => passes(outer(node)))
      return held(await storage.find(inner(path), { ...options, within: inner(options.within), passes: passesOutside }))
    },
    stat: async (where) => storage.stat(at(where)),
    list: async (where, options) => storage.list(at(where), options),
    open: async (where) => storage.open(at(where)),
    ...(storage.readNow && { readNow: (path) => storage.readNow?.(inner(path)) ?? null }),
    readable: async (folder, names) => storage.readable(at(folder), names),
    readSmall: async (folder, names, options) => storage.readSmall(at(folder), names, options),
    makeFolder: (where) => told(async () => storage.makeFolder(at(where))),
    move: (from, to, options) => told(async () => storage.move(at(from), at(to), keeping(options))),
    remove: async (where) => storage.remove(at(where)),
    async keepingVolume(where) {
      const volume = await storage.keepingVolume(at(where))
      return volume === null ? null : outer(volume)
    },
    keep: async (where, kept) => storage.keep(at(where), keptInside(kept)),
    statKept: async (kept) => storage.statKept(keptInside(kept)),
    resetKept: async (kept, attributes) => storage.resetKept(keptInside(kept), attributes),
    listKept: async (kept, path) => storage.listKept(keptInside(kept), path),
    openKept: async (kept, path) => storage.openKept(keptInside(kept), path),
    restoreKept: (kept, to, options) => told(async () => storage.restoreKept(keptInside(kept), at(to), keeping(options))),
    dropKept: async (kept, options) => storage.dropKept(keptInside(kept), options),
    keptNodes: async (area) => (await storage.keptNodes(area)).map(keptOutside),
    privatePlaces: async (folder) => (await storage.privatePlaces(inner(folder))).map((place) => ({ ...place, path: outer(place.path) })),
    onPrivateUse: (before) => storage.onPrivateUse((volume) => before(outer(volume))),
    learnVolumes: async (volumes) => storage.learnVolumes(volumes.map(inner)),
    stage: (id, options) => stagedFile(storage.stage(id, { ...options, near: at(options.near) })),
    staged: async () => storage.staged(),
    watch: async (folder, onChange) => storage.watch(at(folder), onChange),
    folderMark: async (where, options) => storage.folderMark(at(where), options),
    space: async (where) => storage.space(at(where)),
  }
}
