import { crc32 } from 'node:zlib'
import { fail, isAppError } from '../../../shared/errors.ts'
import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT, segmentProblem } from '../../../shared/file-path.ts'
import { checkStagedId, hasPrivateName, isPrivateName, refusePrivate } from '../private-name.ts'
import { type MoveOptions, type NodeHandle, pathOf, type Storage, type Where } from '../storage.ts'
import { createAbilities } from './abilities.ts'
import { createClaim, keptClaim } from './claims.ts'
import { createS3Client } from './client.ts'
import { createCopying } from './copying.ts'
import { isFailure, withS3Errors } from './failures.ts'
import { createS3Kept, keptKeyFor } from './kept.ts'
import { createKeys, encodeKey } from './keys.ts'
import { createMoves } from './moves.ts'
import { createS3Multipart } from './multipart.ts'
import { createNodes, type S3Node, statOfObject } from './nodes.ts'
import { createS3Objects, eachOf, headOf, type S3Object } from './objects.ts'
import { openObject } from './open.ts'
import { S3_CAPACITY, S3_LIMITS, type S3Options } from './options.ts'
import { createPending } from './pending.ts'
import { createUsedSpace } from './used-space.ts'
import { createStagedStates } from './staged-state.ts'
import { createS3Staging } from './staging.ts'
import { createTails } from './tails.ts'

export interface S3Storage extends Storage {
  /**
   * Ends moves of folders that were interrupted. To be awaited before anything looks at what became of an operation; until a move has ended, readers
   * see its source or its target, never both.
   */
  resume(): Promise<void>
  /**
   * An address at which a client reads a file from the service itself, past this server and its limits, until it ends. A client that has it needs no rights.
   */
  signedUrl(where: Where, options: SignedUrlOptions): Promise<string>
}

export interface SignedUrlOptions {
  readonly seconds: number
  /** The name under which a browser saves the file; it shows the file instead if this is missing. */
  readonly saveAs?: string
}

/**
 * A storage in a bucket of an object store that speaks S3. What the port promises and an object store cannot keep is in docs/s3.md; the suites name it
 * in the test of this adapter.
 */
export function createS3Storage(options: S3Options): S3Storage {
  const { bucket, prefix = '', exclusively, capacity = S3_CAPACITY, server, log = () => undefined } = options
  const limits = { ...S3_LIMITS, ...options.limits }
  const keys = createKeys(prefix)
  const client = createS3Client(options, limits)
  const objects = createS3Objects(client, { bucket, parallel: limits.parallel })
  const multipart = createS3Multipart(client, { bucket })
  const abilities = createAbilities({ objects, keys, log })
  const copying = createCopying({ objects, multipart, abilities, limits })
  const pending = createPending()
  const nodes = createNodes({ objects, keys, pending, log })
  const moves = createMoves({ client, objects, copying, keys, pending, server, limits, log })
  const claim = createClaim(exclusively)
  const tails = createTails(options.folder)
  const usedSpace = createUsedSpace(objects, keys)
  /** The object of a file, and whether its folder is known, as the walk to a node found them. */
  const walked = new WeakMap<NodeHandle, { object: S3Object | null }>()
  const hasParent = (where: Where): boolean => typeof where !== 'string' && walked.has(where)
  const parts = { client, objects, multipart, copying, tails, keys, limits }
  const states = createStagedStates(parts)
  const keptKey = (...args: [Parameters<typeof keptKeyFor>[1], string]) => keptKeyFor({ objects, keys }, ...args)
  const reading = { client, limits }
  const openOne = (object: S3Object) => openObject(reading, object, statOfObject(object))

  /** Runs `work` on a node and converts what the service says. */
  function at<T>(where: Where, work: (path: FilePath) => Promise<T>): Promise<T> {
    const path = pathOf(where)
    return withS3Errors(path, async () => {
      refusePrivate(path)
      return await work(path)
    })
  }

  async function placeFor(where: Where, kind: S3Node['kind'], replace: boolean): Promise<S3Object | null> {
    const path = pathOf(where)
    if (path === ROOT) fail('already-exists', { path })
    if (!hasParent(where)) await nodes.requireFolder(parentOf(path))
    const old = await nodes.at(path)
    if (old === null) return null
    const isReplaceable = replace && old.kind === kind && (old.kind === 'file' || (await isEmpty(path)))
    if (!isReplaceable) fail('already-exists', { path })
    return old.kind === 'file' ? old.object : null
  }

  async function isEmpty(folder: FilePath): Promise<boolean> {
    const own = keys.folder(folder)
    for await (const page of objects.pages(own, { flat: true, most: 2 })) return page.objects.every(({ key }) => key === own)
    return true
  }

  async function move(from: FilePath, to: Where, { replace, keep }: MoveOptions): Promise<boolean> {
    const target = pathOf(to)
    const node = (await nodes.at(from)) ?? fail('not-found', {})
    if (from === target) return replace || fail('already-exists', { path: target })
    const old = await placeFor(to, node.kind, replace)
    if (node.kind === 'folder') await moves.move(keys.folder(from), keys.folder(target))
    else {
      const kept = keep !== undefined && old !== null ? await keptKey(keep, nameOf(target)) : null
      if (kept !== null && old !== null) await copying.copy(old, kept)
      await copying.copy(node.object, keys.file(target), { isNew: !replace })
      await objects.remove(node.object.key)
    }
    nodes.unmarked(keys.folder(from))
    await nodes.keepFolder(from)
    return true
  }

  async function remove(path: FilePath): Promise<void> {
    const node = (await nodes.at(path)) ?? fail('not-found', {})
    if (node.kind === 'folder' && !(await isEmpty(path))) fail('busy', {})
    await objects.remove(node.kind === 'file' ? node.object.key : keys.folder(path))
    nodes.unmarked(keys.folder(path))
    await nodes.keepFolder(path)
  }

  async function readFile(folder: FilePath, name: string, mostBytes: number) {
    if (segmentProblem(name) !== null || isPrivateName(name)) return null
    const key = keys.file(joinPath(folder, name))
    if (pending.isHidden(key)) return null
    try {
      const response = await client.open({ method: 'GET', key, headers: { range: `bytes=0-${mostBytes}` } })
      const bytes = await response.bytes()
      return bytes.length > mostBytes ? null : { bytes, modified: headOf(key, response.headers).modified }
    } catch (error) {
      if (isFailure(error, 404)) return null
      // There is no range of an empty file.
      if (!isFailure(error, 416)) throw error
      const head = await objects.head(key)
      return head === null ? null : { bytes: new Uint8Array(0), modified: head.modified }
    }
  }

  return {
    ...createS3Staging({ ...parts, states, nodes, pending, claim, abilities, hasParent, keptKey }),
    ...createS3Kept({ objects, copying, moves, keys, nodes, pending, claim, placeFor }, async (object) => openOne(object)),
    ...(exclusively && { exclusively }),
    resume: () => withS3Errors(ROOT, () => moves.resume()),
    signedUrl: (where, { seconds, saveAs }) =>
      at(where, async (path) => {
        const disposition = saveAs === undefined ? 'inline' : `attachment; filename*=UTF-8''${encodeKey(saveAs)}`
        return await client.signedUrl(keys.file(path), { seconds, query: { 'response-content-disposition': disposition } })
      }),
    privatePlaces: async (folder) => (folder === ROOT ? [{ path: ROOT, isVolume: true, isUsed: true, isLocal: false }] : []),
    onPrivateUse: () => undefined,
    learnVolumes: async () => undefined,
    find: (path, { within }) =>
      at(path, async () => {
        if (!isWithin(path, within)) fail('not-found', {})
        const node = await nodes.at(path)
        if (node === null) await nodes.requireFolder(parentOf(path))
        const handle: NodeHandle = { path, stat: node?.stat ?? null, [Symbol.dispose]: () => undefined }
        walked.set(handle, { object: node?.kind === 'file' ? node.object : null })
        return handle
      }),
    async stat(where) {
      if (hasPrivateName(pathOf(where))) return null
      return await at(where, async (path) => (await nodes.at(path))?.stat ?? null)
    },
    list: (where, how) =>
      at(where, async (path) => {
        how?.signal?.throwIfAborted()
        return await nodes.list(path, how)
      }),
    open: (where) =>
      at(where, async (path) => {
        const known = typeof where === 'string' ? null : (walked.get(where)?.object ?? null)
        if (known !== null) return openOne(known)
        const node = await nodes.at(path)
        return node?.kind === 'file' ? openOne(node.object) : fail('not-found', {})
      }),
    readable: (where, names) =>
      at(where, async (path) => {
        const there = new Set((await nodes.list(path)).names)
        return Uint8Array.from(names, (name) => (there.has(name) ? 1 : 0))
      }),
    readSmall: (where, names, { mostBytes }) =>
      at(where, async (path) => {
        const files: Awaited<ReturnType<typeof readFile>>[] = names.map(() => null)
        await eachOf(names.entries(), limits.parallel, async ([index, name]) => void (files[index] = await readFile(path, name, mostBytes)))
        if (files.every((file) => file === null)) await nodes.requireFolder(path)
        return {
          bytes: Buffer.concat(files.map((file) => file?.bytes ?? new Uint8Array(0))),
          sizes: Int32Array.from(files, (file) => file?.bytes.length ?? -1),
          modified: Float64Array.from(files, (file) => file?.modified ?? 0),
          crcs: Uint32Array.from(files, (file) => crc32(file?.bytes ?? '')),
        }
      }),
    makeFolder: (where) =>
      at(where, async (path) => {
        if (path === ROOT) fail('already-exists', { path })
        pending.refuse(keys.file(path))
        await claim([path], async () => {
          if (!hasParent(where)) await nodes.requireFolder(parentOf(path))
          if ((await nodes.at(path)) !== null) fail('already-exists', { path })
          await nodes.mark(path)
        })
      }),
    move: (source, target, how) =>
      at(source, async (from) => {
        const to = pathOf(target)
        refusePrivate(to)
        if (from === ROOT || to === ROOT || (from !== to && isWithin(to, from))) fail('invalid-input', { issues: ['move: into itself'] })
        if (how.keep !== undefined) checkStagedId(how.keep.id)
        for (const path of [from, to]) pending.refuse(keys.file(path))
        const claims = [from, to, ...(how.keep === undefined ? [] : [keptClaim(how.keep)])]
        return await claim(claims, () => move(from, target, how)).catch((error: unknown) =>
          isAppError(error) || !isFailure(error, 412) ? Promise.reject(error) : fail('already-exists', { path: to }),
        )
      }),
    remove: (where) =>
      at(where, async (path) => {
        if (path === ROOT) fail('busy', {})
        pending.refuse(keys.file(path))
        await claim([path], () => remove(path))
      }),
    watch: (where) =>
      at(where, async (path) => {
        await nodes.requireFolder(path)
        return null
      }),
    folderMark: async () => null,
    space: (where) =>
      at(where, async (path) => {
        if ((await nodes.at(path)) === null) fail('not-found', {})
        return { total: capacity, used: await usedSpace() }
      }),
  }
}
