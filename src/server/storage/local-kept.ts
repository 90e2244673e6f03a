import { fail } from '../../shared/errors.ts'
import { type FilePath, isWithin, nameOf, parentOf, ROOT, segmentsOf } from '../../shared/file-path.ts'
import type { Address } from './address.ts'
import type { Addressing } from './addressing.ts'
import type { Executor } from './executor.ts'
import type { Executors } from './executors.ts'
import { withAppErrors } from './system-errors.ts'
import { holdOpen } from './open-file.ts'
import { checkStagedId, PRIVATE_NAME, refusePrivate } from './private-name.ts'
import type { ServedVolumes } from './served-volumes.ts'
import { type Columns, type Kept, pathOf, type Storage } from './storage.ts'
import { createThreadExecutor } from './thread-executor.ts'

export interface LocalKeptDeps {
  readonly executors: Executors
  readonly addressing: Addressing
  readonly volumes: ServedVolumes
  readonly list: (executor: Executor, address: Address) => Promise<Columns>
}

type LocalKept = Pick<
  Storage,
  'keepingVolume' | 'keep' | 'statKept' | 'resetKept' | 'listKept' | 'openKept' | 'restoreKept' | 'dropKept' | 'keptNodes'
>

/** The methods of a local storage for kept nodes. */
export function createLocalKept({ executors, addressing, volumes, list }: LocalKeptDeps): LocalKept {
  /** For long work on disks that the main thread calls otherwise: removing one large file may take a second. */
  const background = createThreadExecutor()

  const isMountAtOrBelow = (path: FilePath): boolean => executors.mountPaths().some((mount) => mount !== ROOT && isWithin(mount, path))

  function inBackground(volume: FilePath): Executor {
    const executor = volumes.executorOf(volume)
    return executor.isThreaded() ? executor : background
  }

  /** Runs `work` on a kept node and converts its system errors. */
  function at<T>(kept: Kept, work: (at: { executor: Executor; top: Address }) => Promise<T>): Promise<T> {
    const { volume, id } = kept
    return withAppErrors(volume, () => {
      checkStagedId(id)
      refusePrivate(volume)
      volumes.add(volume)
      return work({ executor: volumes.executorOf(volume), top: volumes.topOf(volume) })
    })
  }

  /** The address of a node in a kept folder, or of the kept node itself. */
  async function below(kept: Kept, path: FilePath, { executor, top }: { executor: Executor; top: Address }): Promise<Address> {
    refusePrivate(path)
    const { name } = (await executor.run('lookAtKept', top, kept)) ?? fail('not-found', {})
    const slot = [...top.below, PRIVATE_NAME, kept.area, kept.id]
    if (path === ROOT) return { ...top, below: slot, name }
    return { ...top, below: [...slot, name, ...segmentsOf(parentOf(path))], name: nameOf(path) }
  }

  return {
    keepingVolume: (where) =>
      withAppErrors(pathOf(where), async () => {
        const path = pathOf(where)
        refusePrivate(path)
        if (path === ROOT || isMountAtOrBelow(path)) return null
        const volume = await volumes.of(where)
        if (executors.areApart(volume, path)) return null
        const mayKeep = await addressing.executorOf(where).run('mayKeep', volumes.topOf(volume), addressing.of(where))
        return mayKeep ? volume : null
      }),
    keep: (where, kept) =>
      withAppErrors(pathOf(where), async () => {
        const path = pathOf(where)
        checkStagedId(kept.id)
        refusePrivate(path)
        // A mount below would be moved along and its content deleted later.
        executors.expire()
        if (path === ROOT || isMountAtOrBelow(path)) fail('busy', {})
        if (executors.areApart(kept.volume, path)) return null
        await volumes.use(kept.volume)
        return await addressing.executorOf(where).run('keep', volumes.topOf(kept.volume), addressing.of(where), kept)
      }),
    statKept: (kept) => at(kept, ({ executor, top }) => executor.run('lookAtKept', top, kept)),
    resetKept: (kept, attributes) => at(kept, ({ executor, top }) => executor.run('resetKept', top, kept, attributes)),
    listKept: (kept, path) => at(kept, async (found) => list(found.executor, await below(kept, path, found))),
    openKept: (kept, path) =>
      at(kept, async (found) => {
        const { executor } = found
        return holdOpen(await executor.run('open', await below(kept, path, found)), executor)
      }),
    restoreKept: (kept, to, { keep, ...more }) =>
      withAppErrors(pathOf(to), async () => {
        const target = pathOf(to)
        checkStagedId(kept.id)
        if (keep !== undefined) checkStagedId(keep.id)
        refusePrivate(target)
        if (target === ROOT) fail('already-exists', { path: target })
        if (executors.areApart(kept.volume, target)) return false
        const executor = addressing.executorOf(to)
        const options = { ...more, keep: await volumes.keepingPlace(keep, target) }
        const outcome = await executor.run('restore', volumes.topOf(kept.volume), kept, addressing.of(to), options)
        if (outcome === null) fail('not-found', {})
        return outcome === 'taken' ? fail('already-exists', { path: target }) : outcome === 'placed'
      }),
    dropKept: (kept, { signal, onProgress } = {}) =>
      at(kept, async ({ top }) => {
        signal?.throwIfAborted()
        const executor = inBackground(kept.volume)
        await executor.run('hideKept', top, kept)
        for (let removed = 0; ;) {
          signal?.throwIfAborted()
          const step = await executor.run('removeBatch', top, kept)
          removed += step.removed
          onProgress?.(removed)
          if (step.isDone) return
          if (step.failure !== null) throw Object.assign(new Error('something kept cannot be removed'), { code: step.failure })
        }
      }),
    keptNodes: (area) =>
      withAppErrors(ROOT, async () => {
        /** By id, because a folder that is mounted twice has two volumes. */
        const found = new Map<string, Kept>()
        for (const volume of volumes.all()) {
          const told = inBackground(volume).run('keptIds', volumes.topOf(volume), area)
          // A volume below the root may fail now; its ids are found the next time.
          for (const id of await (volume === ROOT ? told : told.catch(() => []))) if (!found.has(id)) found.set(id, { area, volume, id })
        }
        return [...found.values()]
      }),
  }
}
