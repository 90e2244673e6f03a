import { fail, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Piece, PieceStore } from './piece-store.ts'
import type { Upload } from './store.ts'
import { discard, finish, open, type StagedFile, type UploadsDeps } from './uploads.ts'

export interface PiecesDeps extends UploadsDeps {
  readonly pieces: PieceStore
}

/** Of one upload: clients make them larger the longer they take. */
const MOST_PIECES = 50_000
/** Of bytes whose number nobody announced, room for so many is reserved at once. */
const AHEAD_BYTES = 8 * 1024 ** 2

/** An upload by its client's name for it. */
export interface PiecesTarget {
  readonly userId: number
  /** With a colon, so that it is none of those that the web continues. */
  readonly key: string
}

/**
 * Announces a file that comes in numbered pieces, in their order, and is published by a request of its own. One of the same name that was not published is
 * discarded.
 * @param options.near where it is going to be, or a free name in a folder where its person may store files
 * @param options.total in bytes, if the client says it: room is reserved for it
 */
export async function beginPieces(
  deps: PiecesDeps,
  drive: Drive,
  { userId, key, near, total }: PiecesTarget & { near: FilePath; total: number | null },
): Promise<void> {
  const old = await deps.store.find(userId, ROOT, key)
  if (old !== null) await remove(deps, drive, old)
  const id = Bun.randomUUIDv7()
  const now = deps.clock().getTime()
  // Fails at once for somebody who may not store it there.
  await drive.stage(near, { id, isNew: true })
  const row = { id, userId, path: ROOT, key, session: '', length: total ?? 0, stamp: near, replace: true, touchedAt: now, share: '' }
  if (!(await deps.store.create(row))) fail('busy', {})
  await deps.pieces.removeOrphans()
  try {
    if (total !== null) await drive.reserve(id, [{ path: near, bytes: total, replace: true }], 'upload')
  } catch (error) {
    await deps.store.remove(id)
    throw error
  }
}

/** The pieces that have arrived. Fails with `not-found` if there is no such upload. */
export async function piecesOf(deps: PiecesDeps, target: PiecesTarget): Promise<Piece[]> {
  return deps.pieces.of((await current(deps, target)).id)
}

/**
 * Adds a piece. One that has arrived before is not stored again, because its answer was lost; the rest of one that was interrupted is replaced.
 * Fails with `wrong-offset` for a piece that does not follow the last one. @returns where its bytes are; null if they were there before
 */
export async function appendPiece(
  deps: PiecesDeps,
  drive: Drive,
  target: PiecesTarget & { number: number; size: number | null; body: ReadableStream<Uint8Array> | null; client: AbortSignal },
): Promise<{ at: number; size: number } | null> {
  const { number, size, body, client } = target
  const upload = await current(deps, target)
  return deps.leases.hold(upload.id, { evict: 'silent', client }, async (held) => {
    const { staged, here } = await open(deps, drive, placed(upload), held)
    if (here === null) fail('not-found', {})
    const same = await deps.pieces.find(upload.id, number)
    if (same !== null && (size === null || same.size === size)) {
      await body?.cancel()
      return null
    }
    const last = await deps.pieces.last(upload.id)
    const at = last === null ? 0 : last.at + last.size
    if (same !== null || (last !== null && number < last.number) || here < at) fail('wrong-offset', { offset: at })
    const most = upload.length > 0 ? upload.length - at : Number.POSITIVE_INFINITY
    if (size !== null && size > most) fail('too-large', { limit: most })
    if ((await deps.pieces.count(upload.id)) >= MOST_PIECES) fail('too-large', { limit: MOST_PIECES })
    const reserve = (bytes: number): Promise<void> =>
      drive.reserve(upload.id, [{ path: placed(upload).path, bytes, replace: true }], 'upload')
    if (upload.length === 0 && size !== null) await reserve(at + size)
    const { signal, noteBytes, noteDurable, mayWrite } = held
    // Also the last one has to be durable: it is published by another request.
    const lengths = { at, limit: size ?? most, announced: size ?? 0, whole: Number.POSITIVE_INFINITY }
    const bytes = upload.length === 0 && size === null ? body && reserving(body, { at, reserve }) : body
    const after =
      bytes === null ? at : await staged.append(bytes, { ...lengths, signal, onBytes: noteBytes, onDurable: noteDurable, mayWrite })
    if (size !== null && after !== at + size) fail('invalid-input', { issues: ['body: shorter than announced'] })
    await deps.pieces.add(upload.id, { number, at, size: after - at })
    return { at, size: after - at }
  })
}

/** Room is reserved while they arrive, as long as there is more than they need ahead of them. */
function reserving(
  body: ReadableStream<Uint8Array>,
  { at, reserve }: { at: number; reserve: (bytes: number) => Promise<void> },
): ReadableStream<Uint8Array> {
  let [arrived, held] = [at, 0]
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      arrived += chunk.length
      if (arrived > held) {
        held = arrived + AHEAD_BYTES
        try {
          await reserve(held)
        } catch (error) {
          if (!isAppError(error, 'quota-exceeded') && !isAppError(error, 'storage-full')) throw error
          held = arrived
          await reserve(held)
        }
      }
      controller.enqueue(chunk)
    },
    flush: () => reserve(arrived),
  })
  return body.pipeThrough(counting)
}

/** Publishes what has arrived. If that fails, the pieces stay. @param work receives them as one staged file, with its size */
export async function publishPieces<T>(
  deps: PiecesDeps,
  drive: Drive,
  target: PiecesTarget,
  work: (staged: StagedFile, size: number) => Promise<T>,
): Promise<T> {
  const upload = await current(deps, target)
  const done = await deps.leases.hold(upload.id, { evict: 'silent' }, async (held) => {
    const { staged, here } = await open(deps, drive, placed(upload), held)
    const last = await deps.pieces.last(upload.id)
    const size = last === null ? 0 : last.at + last.size
    if (here === null || here < size) fail('wrong-offset', { offset: here ?? 0 })
    // What is left of a piece that was interrupted.
    if (size === 0 || (await staged.size()) !== size)
      await staged.append(new Uint8Array(0), { at: size, whole: Number.POSITIVE_INFINITY, onDurable: held.noteDurable })
    await held.confirm()
    const result = await work(staged, size)
    await finish(deps, upload)
    return result
  })
  await deps.pieces.removeAll(upload.id)
  return done
}

/** Removes an upload with its pieces. */
export async function cancelPieces(deps: PiecesDeps, drive: Drive, target: PiecesTarget): Promise<void> {
  await remove(deps, drive, await current(deps, target))
}

async function current({ store, clock, expiryMs }: PiecesDeps, { userId, key }: PiecesTarget): Promise<Upload> {
  const upload = await store.find(userId, ROOT, key)
  if (upload === null || upload.finished || upload.touchedAt + expiryMs <= clock().getTime()) return fail('not-found', {})
  return upload
}

/** As those uploads are that are staged where they are going to be. */
function placed(upload: Upload): Upload {
  // Written from a FilePath by `beginPieces`.
  return { ...upload, path: upload.stamp as FilePath }
}

async function remove(deps: PiecesDeps, drive: Drive, upload: Upload): Promise<void> {
  if (upload.finished) await deps.store.remove(upload.id)
  else {
    try {
      await deps.leases.hold(upload.id, { evict: 'any' }, async (held) => discard(deps, drive, placed(upload), held))
    } catch (error) {
      // Where it was to be, nothing can be stored any more: the sweep discards it.
      if (!isAppError(error, 'not-found') && !isAppError(error, 'forbidden')) throw error
      await deps.store.remove(upload.id)
    }
  }
  await deps.pieces.removeAll(upload.id)
}
