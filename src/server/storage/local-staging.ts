import { constants } from 'node:fs'
import { fail } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { type Appending, appendTo } from './append.ts'
import { pooledIo, copyContent } from './disk-io.ts'
import type { Executors } from './executors.ts'
import { withAppErrors } from './system-errors.ts'
import type { Addressing } from './addressing.ts'
import { holdOpen } from './open-file.ts'
import { checkStagedId, refusePrivate } from './private-name.ts'
import type { ServedVolumes } from './served-volumes.ts'
import { type CommitOptions, pathOf, type StagedFile, type Stat, type Storage, type Where } from './storage.ts'

export interface LocalStagingDeps {
  readonly executors: Executors
  readonly addressing: Addressing
  readonly volumes: ServedVolumes
  readonly fileMode: number
}

/** The methods of a local storage for staged files. */
export function createLocalStaging({ executors, addressing, volumes, fileMode }: LocalStagingDeps): Pick<Storage, 'stage' | 'staged'> {
  const { of: volumeOf, all: allVolumes, topOf, executorOf: onVolume } = volumes
  /** Running appends, by id. */
  const writers = new Map<string, Appending>()

  async function has(volume: FilePath, id: string): Promise<boolean> {
    return (await onVolume(volume).run('lookAtStaged', topOf(volume), id)) !== null
  }

  function drop(volume: FilePath, id: string): Promise<void> {
    return onVolume(volume).run('dropStaged', topOf(volume), id)
  }

  /** Opens the staged bytes; creates an empty file if there are none. */
  async function openStaged(volume: FilePath, id: string, flags: number) {
    await volumes.use(volume)
    const { io, run } = onVolume(volume)
    const fd = await run('openStaged', topOf(volume), id, { flags })
    return { fd, io, [Symbol.asyncDispose]: () => io.close(fd) }
  }

  /** Copies the bytes to the volume of their destination, where a rename can publish them. Needed only if the destination changed. */
  async function bringTo(volume: FilePath, from: FilePath, id: string): Promise<void> {
    if (volume === from) fail('unexpected', { incident: 'staging is on another device than its volume' })
    await using source = await openStaged(from, id, constants.O_RDONLY)
    await using copy = await openStaged(volume, id, constants.O_RDWR)
    await copyContent(source, copy)
    await drop(from, id)
  }

  async function publish(
    id: string,
    where: Where,
    { volume, keep, ...options }: CommitOptions & { volume: FilePath; hasBytes: boolean },
  ): Promise<Stat> {
    const path = pathOf(where)
    if (!executors.areApart(volume, path)) {
      await volumes.use(volume)
      const publication = { id, fileMode, ...options, keep: await volumes.keepingPlace(keep, path) }
      const { outcome, stat } = await addressing.executorOf(where).run('publish', topOf(volume), addressing.of(where), publication)
      if (stat !== null) return stat
      if (outcome === 'taken') return fail('already-exists', { path })
    }
    const home = await volumeOf(where)
    await bringTo(home, volume, id)
    return publish(id, where, { ...options, ...(keep && { keep }), volume: home })
  }

  return {
    stage(id, { near, isNew = false }): StagedFile {
      checkStagedId(id)
      const path = pathOf(near)
      // Found now, because the handle may be closed later.
      const nearest = volumeOf(near)
      nearest.catch(() => undefined)
      let asked = false
      let known: FilePath | null = null
      /** Whether no other volume can have bytes of this id. */
      let isSure = isNew
      let staged = false

      async function home(): Promise<FilePath> {
        // After the first time the path may be on another volume.
        const found = asked ? await volumeOf(path) : await nearest
        asked = true
        return found
      }

      /** The volume that has bytes of this id; `home` if none has. */
      async function volume(): Promise<FilePath> {
        if (known !== null && (isSure || (await has(known, id)))) return known
        known = await home()
        if (isSure || (await has(known, id))) return known
        // A failing disk counts as one without them.
        for (const other of allVolumes()) if (other !== known && (await has(other, id).catch(() => false))) return (known = other)
        return known
      }

      /** The volume for an append at `at`; at 0 the bytes staged before do not matter. */
      async function volumeFrom(at: number | undefined): Promise<FilePath> {
        if (at !== 0 || isSure) return volume()
        known = await home()
        return known
      }

      const look = async () => {
        const at = await volume()
        return onVolume(at).run('lookAtStaged', topOf(at), id)
      }

      return {
        id,
        size: () => withAppErrors(path, async () => (await look())?.stat.size ?? 0),
        // If it fails, the append reports it.
        settle: async () =>
          (await writers
            .get(id)
            ?.confirm()
            .catch(() => null)) ?? null,
        append: (bytes, options = {}) =>
          withAppErrors(path, async () => {
            const started = Promise.withResolvers<Appending>()
            started.promise.catch(() => undefined)
            writers.set(id, { confirm: async () => (await started.promise).confirm() })
            try {
              await using file = await openStaged(await volumeFrom(options.at), id, constants.O_WRONLY)
              isSure = true
              const at = options.at ?? (await look())?.stat.size ?? 0
              const size = await appendTo(file, bytes, { ...options, at, isDirect: file.io === pooledIo, onStart: started.resolve })
              staged = size > 0
              return size
            } finally {
              writers.delete(id)
              started.reject(new Error('the append has ended'))
            }
          }),
        adopt: (owner, size) =>
          withAppErrors(path, async () => {
            const first = await volumeOf(path)
            const all = [first, ...allVolumes().filter((one) => one !== first)]
            await volumes.use(first)
            return await executors.of(first, ...all).run('adopt', all.map(topOf), { id, owner, size })
          }),
        changed: () => withAppErrors(path, async () => (await look())?.changed ?? null),
        copyFrom: (where, options) =>
          withAppErrors(pathOf(where), async () => {
            const from = pathOf(where)
            if (from === ROOT) fail('not-found', {})
            refusePrivate(from)
            const { io, run } = addressing.executorOf(where)
            const { fd } = await run('open', addressing.of(where))
            await using source = { fd, io, [Symbol.asyncDispose]: () => io.close(fd) }
            await using file = await openStaged(await volume(), id, constants.O_WRONLY)
            isSure = true
            await copyContent(source, file, options)
          }),
        commit: (where, options) =>
          withAppErrors(pathOf(where), async () => {
            const to = pathOf(where)
            if (to === ROOT) fail('already-exists', { path: to })
            refusePrivate(to)
            if (options.keep !== undefined) checkStagedId(options.keep.id)
            return publish(id, where, { ...options, hasBytes: staged, volume: await volume() })
          }),
        discard: () =>
          withAppErrors(path, async () => {
            await drop(await volume(), id)
            staged = false
          }),
        identity: () => withAppErrors(path, async () => (await look())?.stat.identity ?? null),
        read: () =>
          withAppErrors(path, async () => {
            const at = await volume()
            const executor = onVolume(at)
            const { stat } = (await executor.run('lookAtStaged', topOf(at), id)) ?? fail('not-found', {})
            return holdOpen({ fd: await executor.run('openStaged', topOf(at), id, { flags: constants.O_RDONLY }), stat }, executor)
          }),
      }
    },
    staged: () =>
      withAppErrors(ROOT, async () => {
        const ids: string[] = []
        for (const volume of allVolumes()) {
          const told = onVolume(volume).run('stagedIds', topOf(volume))
          // A volume below the root may fail now; its ids are found the next time.
          ids.push(...(await (volume === ROOT ? told : told.catch(() => []))))
        }
        return ids
      }),
  }
}
