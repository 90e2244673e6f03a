import { fail, nullOn } from '../../shared/errors.ts'
import { ROOT } from '../../shared/file-path.ts'
import { type CommitOptions, pathOf, type StagedFile, type Storage, type Where } from './storage.ts'

export interface StagedAmong {
  readonly id: string
  readonly options: Parameters<Storage['stage']>[1]
  /** The storage of the target. */
  readonly own: Storage
  readonly all: readonly Storage[]
  readonly of: (where: Where) => Storage
  readonly keepingIn: (storage: Storage, options: CommitOptions) => CommitOptions
  readonly isRoot: (where: Where) => boolean
}

/**
 * A staged file in the storage of its target. Without a target (the top folder), as for the sweep, it is wherever its bytes are. To be published in
 * another storage than that for which they were staged, the bytes are copied there first.
 */
export function stageAmong({ id, options, own, all, of, keepingIn, isRoot }: StagedAmong): StagedFile {
  const staged = own.stage(id, options)
  const isAnywhere = pathOf(options.near) === ROOT

  /** The same id in the storages that may have its bytes, the own one first. */
  function everywhere(): StagedFile[] {
    if (!isAnywhere) return [staged]
    return [staged, ...all.filter((storage) => storage !== own).map((storage) => storage.stage(id, { ...options, near: ROOT }))]
  }

  /** Where its bytes are. */
  async function found(): Promise<StagedFile> {
    if (!isAnywhere) return staged
    for (const one of everywhere()) if ((await changedIn(one)) !== null) return one
    return staged
  }
  const changedIn = (one: StagedFile): Promise<number | null> => (one === staged ? one.changed() : nullOn('storage-busy', one.changed()))

  return {
    ...staged,
    size: async () => (await found()).size(),
    changed: async () => (await found()).changed(),
    identity: async () => (await found()).identity(),
    async discard() {
      for (const one of everywhere()) await (one === staged ? one.discard() : nullOn('storage-busy', one.discard()))
    },
    async copyFrom(where, how = {}) {
      const source = of(where)
      if (source === own) return staged.copyFrom(where, how)
      await using file = await source.open(where)
      const { size } = file.stat
      const counted = countedStream(file.stream(0, size), how.onProgress)
      await staged.append(counted, { at: 0, ...(how.signal && { signal: how.signal }) })
    },
    async commit(where, how) {
      if (isRoot(where)) fail('already-exists', { path: pathOf(where) })
      const home = await found()
      const target = of(where)
      if (home === staged && target === own) return staged.commit(where, keepingIn(own, how))
      const there = target.stage(id, { near: where, from: options.from })
      try {
        // Without any, the file is empty.
        if ((await home.changed()) !== null) {
          await using bytes = (await home.read?.()) ?? fail('busy', { path: pathOf(where) })
          await there.append(bytes.stream(0, bytes.stat.size), { at: 0, whole: bytes.stat.size })
        }
        const stat = await there.commit(where, keepingIn(target, how))
        await home.discard()
        return stat
      } catch (error) {
        // Only a copy: what was found in another storage may be these very bytes.
        if (home === staged) await nullOn('storage-busy', there.discard())
        throw error
      }
    },
  }
}

function countedStream(bytes: ReadableStream<Uint8Array>, onProgress: ((bytes: number) => void) | undefined): ReadableStream<Uint8Array> {
  if (onProgress === undefined) return bytes
  let done = 0
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        done += chunk.length
        onProgress(done)
        controller.enqueue(chunk)
      },
    }),
  )
}
