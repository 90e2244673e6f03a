import { fail } from '../../shared/errors.ts'
import { type FilePath } from '../../shared/file-path.ts'
import { checkStagedId } from './private-name.ts'
import { away, type Connected, type RootConnection } from './root-connection.ts'
import { type NodeHandle, pathOf, type StagedFile, type Storage, type Where } from './storage.ts'

/**
 * A storage on a disk that may be disconnected: then each call fails with `storage-busy` and does nothing. What was begun before (open nodes, staged
 * files) is found again by its path when the disk is back.
 */
export function createRemovableStorage(connection: RootConnection): Storage {
  const makers = new WeakMap<NodeHandle, Connected>()
  const users: Parameters<Storage['onPrivateUse']>[0][] = []
  const taught = new WeakSet<Storage>()
  const volumes = new Set<FilePath>()

  /** Runs a call on nodes; those that were found before the disk went away mean nothing any more. */
  function on<T>(wheres: readonly Where[], work: (storage: Storage) => Promise<T>): Promise<T> {
    return connection.use(async (connected) => {
      if (wheres.some((where) => typeof where !== 'string' && makers.get(where) !== connected)) away()
      await teach(connected.storage)
      return work(connected.storage)
    })
  }

  /** What the storage of the folder was told before it was opened again. */
  async function teach(storage: Storage): Promise<void> {
    if (taught.has(storage)) return
    taught.add(storage)
    for (const before of users) storage.onPrivateUse(before)
    if (volumes.size > 0) await storage.learnVolumes([...volumes])
  }

  function stage(id: string, options: Parameters<Storage['stage']>[1]): StagedFile {
    checkStagedId(id)
    const { near, ...others } = options
    const first = connection.now()
    const isFound = first !== null && (typeof near === 'string' || makers.get(near) === first)
    // At once, because the caller may close the handle.
    let made = isFound ? { by: first, staged: first.storage.stage(id, options) } : null

    function stagedBy(connected: Connected): StagedFile {
      if (made?.by !== connected)
        made = { by: connected, staged: connected.storage.stage(id, { ...others, isNew: false, near: pathOf(near) }) }
      return made.staged
    }
    const use = <T>(wheres: readonly Where[], work: (staged: StagedFile) => Promise<T>): Promise<T> =>
      connection.use(async (connected) => {
        if (wheres.some((where) => typeof where !== 'string' && makers.get(where) !== connected)) away()
        await teach(connected.storage)
        return work(stagedBy(connected))
      })
    return {
      id,
      size: () => use([], (staged) => staged.size()),
      settle: () => use([], (staged) => staged.settle()),
      append: (bytes, how) => use([], (staged) => staged.append(bytes, how)),
      copyFrom: (where, how) => use([where], (staged) => staged.copyFrom(where, how)),
      commit: (where, how) => use([where], (staged) => staged.commit(where, how)),
      discard: () => use([], (staged) => staged.discard()),
      adopt: (owner, size) => use([], (staged) => staged.adopt(owner, size)),
      changed: () => use([], (staged) => staged.changed()),
      identity: () => use([], (staged) => staged.identity()),
      read: () => use([], async (staged) => (await staged.read?.()) ?? fail('busy', {})),
    }
  }

  return {
    find: (path, options) =>
      connection.use(async (connected) => {
        await teach(connected.storage)
        const handle = await connected.storage.find(path, options)
        makers.set(handle, connected)
        return handle
      }),
    stat: (where) => on([where], (storage) => storage.stat(where)),
    list: (where, options) => on([where], (storage) => storage.list(where, options)),
    open: (where) => on([where], (storage) => storage.open(where)),
    readNow: (path) => connection.now()?.storage.readNow?.(path) ?? null,
    readable: (folder, names) => on([folder], (storage) => storage.readable(folder, names)),
    readSmall: (folder, names, options) => on([folder], (storage) => storage.readSmall(folder, names, options)),
    makeFolder: (where) => on([where], (storage) => storage.makeFolder(where)),
    move: (from, to, options) => on([from, to], (storage) => storage.move(from, to, options)),
    remove: (where) => on([where], (storage) => storage.remove(where)),
    keepingVolume: (where) => on([where], (storage) => storage.keepingVolume(where)),
    keep: (where, kept) => on([where], (storage) => storage.keep(where, kept)),
    statKept: (kept) => on([], (storage) => storage.statKept(kept)),
    resetKept: (kept, attributes) => on([], (storage) => storage.resetKept(kept, attributes)),
    listKept: (kept, path) => on([], (storage) => storage.listKept(kept, path)),
    openKept: (kept, path) => on([], (storage) => storage.openKept(kept, path)),
    restoreKept: (kept, to, options) => on([to], (storage) => storage.restoreKept(kept, to, options)),
    dropKept: (kept, options) => on([], (storage) => storage.dropKept(kept, options)),
    keptNodes: (area) => on([], (storage) => storage.keptNodes(area)),
    privatePlaces: (folder) => on([], (storage) => storage.privatePlaces(folder)),
    onPrivateUse(before) {
      users.push(before)
      const storage = connection.now()?.storage
      if (storage !== undefined && taught.has(storage)) storage.onPrivateUse(before)
    },
    async learnVolumes(known) {
      for (const volume of known) volumes.add(volume)
      await on([], (storage) => storage.learnVolumes(known))
    },
    stage,
    staged: () => on([], (storage) => storage.staged()),
    watch: (folder, onChange) => on([folder], (storage) => storage.watch(folder, onChange)),
    folderMark: (where, options) => on([where], (storage) => storage.folderMark(where, options)),
    space: (where) => on([where], (storage) => storage.space(where)),
  }
}
