import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import { unpackNames, shareNames } from '../../shared/packed-names.ts'
import type { Address } from './address.ts'
import { createAddressing } from './addressing.ts'
import { plainNames } from './disk-calls.ts'
import type { Executor } from './executor.ts'
import { createExecutors } from './executors.ts'
import { withAppErrors } from './system-errors.ts'
import { resolveLinks, inspectedNodeFrom } from './links.ts'
import { createLocalKept } from './local-kept.ts'
import { createLocalStaging } from './local-staging.ts'
import type { readMounts } from './mounts.ts'
import { holdOpen } from './open-file.ts'
import { openRoot } from './open-folder.ts'
import { checkStagedId, hasPrivateName, refusePrivate } from './private-name.ts'
import { createReadNow } from './read-now.ts'
import { createServedVolumes } from './served-volumes.ts'
import { columnsFrom } from './plain-columns.ts'
import { type NodeHandle, pathOf, type Storage, type Where, type Columns, type ListOptions } from './storage.ts'
import { folderHandle } from './proc-paths.ts'
import { createWatching } from './watching.ts'
import type { ReadAnswer, ReadAsk } from './read-worker.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'
import type { ListAnswer, ListAsk } from './list-worker.ts'
import type { ListedMount } from './listing.ts'

export interface LocalOptions {
  /** Permission bits of new files and folders; the process's umask does not touch those of files. */
  readonly fileMode?: number
  readonly folderMode?: number
  readonly exclusively?: Storage['exclusively']
  /** Reads the mount table; another in tests. */
  readonly mounts?: typeof readMounts
}

/**
 * A storage in a folder, local or on a shared file system. Every path is walked by descriptors from the folder.
 * @param place its path, which must exist; or a descriptor (O_PATH), which the caller closes when nothing uses the storage any more
 */
export function createLocalStorage(place: string | { readonly fd: number }, how: LocalOptions = {}): Storage {
  const { fileMode = 0o640, folderMode = 0o750, exclusively, mounts: readTable } = how
  const root = typeof place === 'string' ? openRoot(place) : place
  const executors = createExecutors(root, readTable)
  const addressing = createAddressing(root, executors)
  const thread = createListThread()
  const reader = createReadThread()
  const watching = createWatching()

  /** Runs `work` on a node and converts its system errors. A path with a private name is `not-found`. */
  function at<T>(where: Where, work: (at: { executor: Executor; path: FilePath; address: Address }) => T | Promise<T>): Promise<T> {
    const path = pathOf(where)
    return withAppErrors(path, () => {
      refusePrivate(path)
      return work({ path, address: addressing.of(where), executor: addressing.executorOf(where) })
    })
  }

  async function hold(path: FilePath): Promise<NodeHandle> {
    refusePrivate(path)
    const executor = executors.of(path)
    // The root folder is always open.
    const found =
      parentOf(path) === ROOT
        ? { fd: null, stat: await executor.run('stat', addressing.of(path)) }
        : await executor.run('find', addressing.of(path))
    return addressing.hold(path, found, executor)
  }

  /** Finds a path without links in one walk, as nearly all are. Null for others, which are walked again, link by link. */
  async function holdPlain(path: FilePath): Promise<NodeHandle | null> {
    try {
      const handle = await hold(path)
      if (handle.stat?.kind !== 'link') return handle
      handle[Symbol.dispose]()
    } catch {
      // The walk along links finds the reason.
    }
    return null
  }

  /** The same node under the name that its folder lists. */
  async function asListed(handle: NodeHandle): Promise<NodeHandle> {
    const { path } = handle
    try {
      const names = await executors.of(path).run('asListed', root.fd, segmentsOf(path))
      const listed = (names ?? fail('not-found', {})).reduce(joinPath, ROOT)
      if (listed === path) return handle
      handle[Symbol.dispose]()
      return await hold(listed)
    } catch (error) {
      handle[Symbol.dispose]()
      throw error
    }
  }

  const volumes = createServedVolumes(root, executors, addressing)

  async function list(
    { executor, address, mounts = [] }: { executor: Executor; address: Address; mounts?: readonly ListedMount[] },
    options?: ListOptions,
  ) {
    const identities = options?.identities === true
    const columns = await executor.run(executor.isThreaded() ? 'list' : 'listShort', address, mounts, { identities })
    if (columns !== null) return columnsFrom(columns)
    using opened = folderHandle(await executor.run('openFolder', address))
    return await thread.list(opened.fd, mounts, options)
  }

  return {
    ...createLocalStaging({ executors, addressing, volumes, fileMode }),
    privatePlaces: (folder) => withAppErrors(folder, () => volumes.privatePlaces(folder)),
    onPrivateUse: volumes.onPrivateUse,
    learnVolumes: volumes.learn,
    ...createLocalKept({ executors, addressing, volumes, list: (executor, address) => list({ executor, address }) }),
    exclusively,
    find: (path, options) =>
      withAppErrors(path, async () => {
        const listed = options.names === 'listed'
        const plain = isWithin(path, options.within) ? await holdPlain(path) : null
        if (plain !== null) return listed ? await asListed(plain) : plain
        const look = async (node: FilePath) =>
          node === ROOT
            ? { kind: 'folder' as const, target: null }
            : inspectedNodeFrom(root, await executors.of(node).run('lookAtLink', addressing.of(node), { listed }))
        return await hold(await resolveLinks(path, options, look))
      }),
    async stat(where) {
      if (hasPrivateName(pathOf(where))) return null
      try {
        return await at(where, ({ executor, address }) => executor.run('stat', address))
      } catch (error) {
        return isAppError(error, 'not-found') ? null : Promise.reject(error)
      }
    },
    list: (where, options) =>
      at(where, async ({ path, executor, address }) => {
        options?.signal?.throwIfAborted()
        const mounted = executors.mountsIn(path)
        return await list({ executor, address, mounts: mounted === null ? [] : await mounted }, options)
      }),
    open: (where) =>
      at(where, async ({ path, executor, address }) => {
        if (path === ROOT) fail('not-found', {})
        return holdOpen(await executor.run('open', address), executor)
      }),
    readNow: createReadNow(root, executors),
    readable: (where, names) =>
      at(where, async ({ path, executor, address }) => {
        const mounts = new Set((await executors.mountsIn(path))?.map(({ name }) => name))
        // For a mount point the call would access its disk.
        return await executor.run('readable', address, mounts.size === 0 ? names : names.map((name) => (mounts.has(name) ? '' : name)))
      }),
    readSmall: (where, names, { mostBytes }) =>
      at(where, async ({ executor, address }) => {
        if (executor.isThreaded()) return await executor.run('readSmall', address, names, mostBytes)
        using opened = folderHandle(await executor.run('openFolder', address))
        return await reader.read({ fd: opened.fd, names: plainNames(names).join('\0'), mostBytes })
      }),
    makeFolder: (where) =>
      at(where, ({ path, executor, address }) => {
        if (path === ROOT) fail('already-exists', { path })
        return executor.run('makeFolder', address, folderMode)
      }),
    move: (from, to, { replace, keep }) =>
      withAppErrors(pathOf(to), async () => {
        const [source, target] = [pathOf(from), pathOf(to)]
        refusePrivate(source)
        refusePrivate(target)
        if (source === ROOT || target === ROOT) fail('invalid-input', { issues: ['move: the root stays'] })
        const executor = addressing.executorOf(from)
        if (source !== target && isWithin(target, source))
          fail((await executor.run('stat', addressing.of(from))) === null ? 'not-found' : 'invalid-input', {
            issues: ['move: into itself'],
          })
        if (executors.areApart(source, target)) return false
        if (keep !== undefined) checkStagedId(keep.id)
        const options = { replace, keep: await volumes.keepingPlace(keep, target) }
        const outcome = await executor.run('move', addressing.of(from), addressing.of(to), options)
        // Mounts below moved along.
        if (executors.mountPaths().some((mount) => mount !== ROOT && isWithin(mount, source))) executors.expire()
        return outcome === 'taken' ? fail('already-exists', { path: target }) : outcome === 'placed'
      }),
    remove: (where) =>
      at(where, ({ path, executor, address }) => {
        if (path === ROOT) fail('busy', {})
        return executor.run('remove', address)
      }),
    watch: (where, onChange) =>
      at(where, async ({ executor, address }) => {
        // inotify does not report changes made on another machine.
        if (executor.isThreaded()) return null
        using opened = folderHandle(await executor.run('openFolder', address))
        return watching.watch(opened, onChange)
      }),
    folderMark: (where, options) => at(where, ({ executor, address }) => executor.run('folderMark', address, options)),
    space: (where) => at(where, async ({ executor, address }) => (await executor.run('space', address)) ?? fail('not-found', {})),
  }
}

/** Reads many small files in a thread of its own. */
function createReadThread(): { read(ask: ReadAsk): Promise<ReadAnswer> } {
  const thread = createThreads<ReadAnswer>(threadProgram('read-worker'))
  return { read: (ask) => thread.ask(ask) }
}

/** Lists folders in a thread of its own: first the names, then their stat results. */
function createListThread(): { list(fd: number, mounts: readonly ListedMount[], options?: ListOptions): Promise<Columns> } {
  const thread = createThreads<ListAnswer>(threadProgram('list-worker'), { small: true })
  return {
    async list(fd, mounts, { signal, onNames, identities = false } = {}) {
      const told = await thread.ask({ fd, names: null, mounts, identities } satisfies ListAsk)
      signal?.throwIfAborted()
      const names = unpackNames(told.names)
      if (names.length === 0) return columnsFrom(told)
      onNames?.(names, told.modes)
      const columns = await thread.ask({ fd, names: shareNames(names), mounts, identities } satisfies ListAsk)
      signal?.throwIfAborted()
      return columnsFrom(columns)
    },
  }
}
