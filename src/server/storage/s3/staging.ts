import { fail } from '../../../shared/errors.ts'
import { type FilePath, nameOf, parentOf, ROOT } from '../../../shared/file-path.ts'
import { chunksOf } from '../append.ts'
import { checkStagedId, refusePrivate } from '../private-name.ts'
import {
  type Adopted,
  type AppendOptions,
  type CommitOptions,
  type Kept,
  pathOf,
  type StagedFile,
  type Stat,
  type Storage,
  type Where,
} from '../storage.ts'
import type { Abilities } from './abilities.ts'
import { type Claim, keptClaim } from './claims.ts'
import { isFailure, withS3Errors } from './failures.ts'
import { type Nodes, statOfObject } from './nodes.ts'
import { headersFor, type S3Object } from './objects.ts'
import { openBytes, openObject } from './open.ts'
import { createPartWriter, type PartWriter } from './part-writer.ts'
import type { Pending } from './pending.ts'
import { bytesIn, type Staged, type StagedStates, type StatesDeps } from './staged-state.ts'

interface StagingDeps extends StatesDeps {
  readonly states: StagedStates
  readonly nodes: Nodes
  readonly pending: Pending
  readonly claim: Claim
  readonly abilities: () => Promise<Abilities>
  /** Whether the parent of a node was seen to be a folder by the walk to it. */
  readonly hasParent: (where: Where) => boolean
  /** Where a replaced file is kept; fails with `already-exists` if the id is used. */
  readonly keptKey: (kept: Kept, name: string) => Promise<string | null>
}

interface Appending {
  writer: PartWriter | null
  readonly started: Promise<PartWriter>
}

/** The methods of an S3 storage for staged files. */
export function createS3Staging(deps: StagingDeps): Pick<Storage, 'stage' | 'staged'> {
  const { objects, multipart, copying, tails, keys, limits, states, nodes, pending, claim, abilities } = deps
  /** Running appends, by id. */
  const appends = new Map<string, Appending>()

  /** The staged bytes up to an offset, ready for more, and those of them that are no part yet. */
  async function openAt(id: string, at: number | undefined): Promise<{ staged: Staged; start: Uint8Array }> {
    let staged = await states.of(id)
    const size = await states.sizeOf(id, staged)
    const from = at ?? size
    if (from > size) fail('wrong-offset', { offset: size })
    if (from === 0 && size > 0) {
      await states.drop(id)
      states.begin(id)
      return { staged: await states.of(id), start: new Uint8Array(0) }
    }
    const isSolid = staged.object !== null || staged.source !== null
    if (isSolid || from < bytesIn(staged.parts)) staged = await states.restage(id, { id, staged }, from)
    const sent = bytesIn(staged.parts)
    const tail = from > sent ? await tails.read(id) : null
    const start = tail === null ? new Uint8Array(0) : tail.bytes.subarray(sent - tail.offset, from - tail.offset)
    // What is on the disk begins after the parts, and ends at the offset.
    const isSame = tail?.offset === sent && tail.bytes.length === start.length
    if (start.length > 0 && !isSame) await tails.write(id, sent, start, { durable: false })
    return { staged, start }
  }

  async function append(id: string, bytes: ReadableStream<Uint8Array> | Uint8Array, options: AppendOptions): Promise<number> {
    const { signal, limit = Number.POSITIVE_INFINITY, onBytes, at, whole } = options
    signal?.throwIfAborted()
    const started = Promise.withResolvers<PartWriter>()
    started.promise.catch(() => undefined)
    const appending: Appending = { writer: null, started: started.promise }
    appends.set(id, appending)
    const writer = await openAt(id, at).then(
      (opened) => createPartWriter({ multipart, tails, limits, key: states.keyOf(id) }, { id, ...opened }, options),
      (error: unknown) => {
        appends.delete(id)
        started.reject(error)
        throw error
      },
    )
    appending.writer = writer
    started.resolve(writer)
    const end = writer.size() + limit
    try {
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : chunksOf(bytes, signal)) {
        onBytes?.()
        const room = end - writer.size()
        await writer.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
        if (chunk.length > room) fail('too-large', { limit })
      }
    } finally {
      appends.delete(id)
      await writer.finish({ durable: whole !== undefined && writer.size() < whole })
    }
    return writer.size()
  }

  async function adopt(id: string, near: FilePath, { owner, size }: { owner: string; size: number }): Promise<Adopted> {
    const others = (await states.ids()).filter((other) => other !== id && (other === owner || other.startsWith(`${owner}-`)))
    const sized = await Promise.all(others.map(async (other) => ({ other, size: await states.sizeOf(other, await states.of(other)) })))
    const [former, ...older] = sized.toSorted((one, another) => another.size - one.size)
    if (former === undefined) return 'nothing'
    const there = near === ROOT ? null : await objects.head(keys.file(near))
    if (there !== null && others.includes(there.staged ?? '')) {
      // A kill between the publication and the removal of what was staged.
      for (const other of others) await states.drop(other)
      return 'published'
    }
    appends.get(former.other)?.writer?.evict()
    await states.restage(id, { id: former.other, staged: await states.of(former.other) }, Math.min(size, former.size))
    for (const { other } of older) {
      appends.get(other)?.writer?.evict()
      await states.drop(other)
    }
    return 'adopted'
  }

  /** Whether something has this name already that must not be replaced. The service checks for files once more, if it can. */
  async function oldAt(path: FilePath, { replace, keep }: CommitOptions, isConditional: boolean): Promise<S3Object | null> {
    if (await nodes.isFolder(path)) fail('already-exists', { path })
    if (replace ? keep === undefined : isConditional) return null
    const old = await objects.head(keys.file(path))
    if (old !== null && !replace) fail('already-exists', { path })
    return old
  }

  async function commit(id: string, where: Where, options: CommitOptions): Promise<Stat> {
    const path = pathOf(where)
    const key = keys.file(path)
    if (!deps.hasParent(where)) await nodes.requireFolder(parentOf(path))
    const staged = await states.of(id)
    const isLarge = staged.upload !== null
    const isConditional = (await abilities()).conditionalPut && !isLarge && staged.object === null && staged.source === null
    const old = await oldAt(path, options, isConditional)
    if (old !== null && options.keep !== undefined) {
      const kept = await deps.keptKey(options.keep, nameOf(path))
      if (kept !== null) await copying.copy(old, kept)
    }
    await publish(id, staged, key, { isNew: !options.replace, headers: headersFor({ staged: id, modified: options.modified }) })
    return statOfObject((await objects.head(key)) ?? fail('not-found', {}))
  }

  async function publish(
    id: string,
    staged: Staged,
    key: string,
    { isNew, headers }: { isNew: boolean; headers: Record<string, string> },
  ): Promise<void> {
    const isOurs = async (): Promise<boolean> => (await objects.head(key))?.staged === id
    try {
      const whole = await asObject(id, staged)
      if (staged.source !== null) await copying.copy(staged.source, key, { isNew })
      else if (whole !== null) await copying.copy(whole, key, { isNew, headers })
      else {
        const bytes = (await tails.read(id))?.bytes ?? new Uint8Array(0)
        await objects.put(key, bytes, { isNew: isNew && (await abilities()).conditionalPut, headers })
      }
    } catch (error) {
      // The answer to the first attempt was lost.
      if (!(isFailure(error, 412) && error.isRepeated && (await isOurs()))) throw error
    }
    if (staged.object !== null) await objects.remove(staged.object.key)
    await tails.drop(id)
    states.forget(id)
  }

  /** A large file as an object in the private folder; null for one without parts. */
  async function asObject(id: string, staged: Staged): Promise<S3Object | null> {
    const { upload } = staged
    if (staged.object !== null || upload === null) return staged.object
    const sent = bytesIn(staged.parts)
    const tail = await tails.read(id)
    const rest = tail === null || tail.offset > sent ? new Uint8Array(0) : tail.bytes.subarray(sent - tail.offset)
    if (rest.length > 0) staged.parts.push(await multipart.sendPart(upload, staged.parts.length + 1, rest))
    await tails.drop(id)
    try {
      await multipart.complete(upload, staged.parts)
    } catch (error) {
      if (!(isFailure(error, 404) && error.isRepeated)) throw error
    }
    const object = await objects.head(upload.key)
    Object.assign(staged, { upload: null, parts: [], object } satisfies Partial<Staged>)
    return object
  }

  return {
    stage(id, { near, isNew = false, announced }): StagedFile {
      checkStagedId(id)
      const path = pathOf(near)
      if (isNew) states.begin(id)
      const guarded = <T>(work: () => Promise<T>, at = path): Promise<T> => withS3Errors(at, work)
      return {
        id,
        size: () => guarded(async () => appends.get(id)?.writer?.size() ?? (await states.sizeOf(id, await states.of(id)))),
        // If it fails, the append reports it.
        settle: async () =>
          (await appends
            .get(id)
            ?.started.then((writer) => writer.confirm())
            .catch(() => null)) ?? null,
        append: (bytes, options = {}) => guarded(() => append(id, bytes, { announced, ...options })),
        adopt: (owner, size) => guarded(() => adopt(id, path, { owner, size })),
        changed: () =>
          guarded(async () => {
            const { upload, parts, object } = await states.of(id)
            const tail = await tails.look(id)
            const times = [tail?.changed, object?.modified, ...parts.map(({ modified }) => modified), upload?.begun].filter(
              (time) => time !== undefined,
            )
            return times.length === 0 ? null : Math.max(...times)
          }),
        copyFrom: (where, options) =>
          guarded(async () => {
            options?.signal?.throwIfAborted()
            const node = await nodes.at(pathOf(where), options?.signal)
            if (node?.kind !== 'file') fail('not-found', {})
            await states.drop(id)
            states.set(id, { upload: null, parts: [], object: null, source: node.object })
          }, pathOf(where)),
        commit: (where, options) =>
          guarded(async () => {
            const to = pathOf(where)
            if (to === ROOT) fail('already-exists', { path: to })
            refusePrivate(to)
            if (options.keep !== undefined) checkStagedId(options.keep.id)
            pending.refuse(keys.file(to))
            const kept = options.keep === undefined ? [] : [keptClaim(options.keep)]
            return await claim([to, ...kept], () => commit(id, where, options))
          }, pathOf(where)),
        discard: () => guarded(() => states.drop(id)),
        read: () =>
          guarded(async () => {
            const staged = await states.of(id)
            const whole = staged.source ?? (await asObject(id, staged))
            if (whole !== null) return openObject({ client: deps.client, limits }, whole, statOfObject(whole))
            return openBytes((await tails.read(id))?.bytes ?? new Uint8Array(0))
          }),
        // An object is made when it is published.
        identity: async () => null,
      }
    },
    staged: () => withS3Errors(ROOT, () => states.ids()),
  }
}
