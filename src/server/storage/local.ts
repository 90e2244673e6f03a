import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { Address } from './address.ts'
import { createAddressing } from './addressing.ts'
import { plainNames } from './disk-calls.ts'
import { createExecutors, type Executor } from './executors.ts'
import { translated } from './foreign-errors.ts'
import { resolveLinks } from './links.ts'
import { createListThread } from './list-thread.ts'
import { createLocalStaging } from './local-staging.ts'
import { holdOpen } from './open-file.ts'
import { openRoot } from './open-folder.ts'
import { hasPrivateName, refusePrivate } from './private-name.ts'
import { createReadThread } from './read-thread.ts'
import { signpostFrom } from './signpost.ts'
import { type NodeHandle, pathOf, type Storage, type Where } from './storage.ts'
import { folder } from './walk.ts'
import { createWatching } from './watching.ts'

export interface LocalOptions {
  /** Permission bits of new files and folders; the process's umask does not touch those of files. */
  readonly fileMode?: number
  readonly folderMode?: number
  readonly exclusively?: Storage['exclusively']
}

/** A folder of this machine, or of a file system several machines share. Every path is walked by descriptor from `rootPath`, which must exist. */
export function createLocalStorage(rootPath: string, { fileMode = 0o640, folderMode = 0o750, exclusively }: LocalOptions = {}): Storage {
  const root = openRoot(rootPath)
  const executors = createExecutors()
  const addressing = createAddressing(root)
  const thread = createListThread()
  const reader = createReadThread()
  const watching = createWatching()

  /** Does something at a node, its errors in our terms. A path with a name of ours in it is none. */
  function at<T>(where: Where, work: (at: Target) => T | Promise<T>): Promise<T> {
    const path = pathOf(where)
    return translated(path, () => {
      refusePrivate(path)
      return work({ path, address: addressing.of(where), ...executors.of(path) })
    })
  }

  async function hold(path: FilePath): Promise<NodeHandle> {
    refusePrivate(path)
    // The root's own folder is open anyway.
    if (parentOf(path) === ROOT) {
      const stat = await executors.of(path).run('stat', addressing.of(path))
      return addressing.hold(path, { fd: null, stat })
    }
    return addressing.hold(path, await executors.of(path).run('find', addressing.of(path)))
  }

  /** Almost every path is walked once and done; the others are walked again, link by link. Null for those. */
  async function holdPlain(path: FilePath): Promise<NodeHandle | null> {
    try {
      const handle = await hold(path)
      if (handle.stat?.kind !== 'link') return handle
      handle[Symbol.dispose]()
    } catch {
      // The walk by links tells what is wrong.
    }
    return null
  }

  /** The same node by the name that the disk lists for it. */
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

  return {
    ...createLocalStaging({ root, executors, addressing, fileMode }),
    exclusively,
    find: (path, options) =>
      translated(path, async () => {
        const listed = options.names === 'listed'
        const plain = isWithin(path, options.within) ? await holdPlain(path) : null
        if (plain !== null) return listed ? await asListed(plain) : plain
        const look = async (node: FilePath) =>
          node === ROOT
            ? { kind: 'folder' as const, target: null }
            : signpostFrom(root, await executors.of(node).run('lookAtLink', addressing.of(node), { listed }))
        return await hold(await resolveLinks(path, options, look))
      }),
    async stat(where) {
      if (hasPrivateName(pathOf(where))) return null
      try {
        return await at(where, ({ run, address }) => run('stat', address))
      } catch (error) {
        return isAppError(error, 'not-found') ? null : Promise.reject(error)
      }
    },
    list: (where, options) =>
      at(where, async ({ run, address }) => {
        options?.signal?.throwIfAborted()
        const columns = await run('listShort', address)
        if (columns !== null) return columns
        using opened = folder(await run('openFolder', address))
        return await thread.list(opened.fd, options)
      }),
    open: (where) =>
      at(where, async ({ path, run, io, address }) => {
        if (path === ROOT) fail('not-found', {})
        return holdOpen(await run('open', address), io)
      }),
    readable: (where, names) => at(where, ({ run, address }) => run('readable', address, names)),
    readSmall: (where, names, { mostBytes }) =>
      at(where, async ({ run, address }) => {
        using opened = folder(await run('openFolder', address))
        return await reader.read({ fd: opened.fd, names: plainNames(names).join('\0'), mostBytes })
      }),
    makeFolder: (where) =>
      at(where, ({ path, run, address }) => {
        if (path === ROOT) fail('already-exists', { path })
        return run('makeFolder', address, folderMode)
      }),
    move: (from, to, { replace }) =>
      translated(pathOf(to), async () => {
        const [source, target] = [pathOf(from), pathOf(to)]
        refusePrivate(source)
        refusePrivate(target)
        if (source === ROOT || target === ROOT) fail('invalid-input', { issues: ['move: the root stays'] })
        const { run } = executors.of(source, target)
        if (source !== target && isWithin(target, source))
          fail((await run('stat', addressing.of(from))) === null ? 'not-found' : 'invalid-input', { issues: ['move: into itself'] })
        const outcome = await run('move', addressing.of(from), addressing.of(to), { replace })
        return outcome === 'taken' ? fail('already-exists', { path: target }) : outcome === 'placed'
      }),
    remove: (where) =>
      at(where, ({ path, run, address }) => {
        if (path === ROOT) fail('busy', {})
        return run('remove', address)
      }),
    watch: (where, onChange) =>
      at(where, async ({ run, address }) => {
        using opened = folder(await run('openFolder', address))
        return await watching.watch(opened, onChange)
      }),
    folderMark: (where, options) => at(where, ({ run, address }) => run('folderMark', address, options)),
    space: (where) => at(where, async ({ run, address }) => (await run('space', address)) ?? fail('not-found', {})),
  }
}

interface Target extends Executor {
  readonly path: FilePath
  readonly address: Address
}
