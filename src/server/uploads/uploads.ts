import { randomUUIDv7 } from 'bun'
import type { Unfinished } from '../../shared/contract/tus.ts'
import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, parentOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Held, Leases } from './leases.ts'
import { modifiedOf } from './stamp.ts'
import type { Announcement, Upload, UploadStore } from './store.ts'

export interface UploadsDeps {
  readonly store: UploadStore
  readonly leases: Leases
  readonly clock: () => Date
  /** An upload without a sign of life for this long is forgotten with its bytes. */
  readonly expiryMs: number
}

export const UPLOAD_EXPIRY_MS = 24 * 60 * 60 * 1000
/** How long a published upload can still be asked about. */
const REMEMBER_FINISHED_MS = 10 * 60 * 1000

const MOST_UNFINISHED = 1000

/** Whose upload, and of what. */
export interface Place {
  readonly userId: number
  readonly path: FilePath
  /** The link through which a visitor sends it, in the name of its owner; nothing for a person's own. */
  readonly share?: string
}

export interface Announced extends Place {
  readonly length: number
  readonly stamp: string
  readonly replace: boolean
}

export interface Progress {
  /** Bytes that are here; equal to `length` only when the file is in its place. */
  readonly offset: number
  readonly length: number
  readonly stamp: string
  readonly expires: Date
}

/**
 * Before any byte: may this file come here at all? What the same file (length and stamp agree) left unfinished is taken up again, and published
 * at once when only that was missing; what another file left is discarded. An empty file is complete with its announcement.
 */
export async function begin(deps: UploadsDeps, drive: Drive, file: Announced): Promise<Progress> {
  const { userId, path, length, stamp, replace, share = '' } = file
  await drive.expect(path, { replace })
  const old = await found(deps, drive, file)
  if (old !== null && isSame(old, file, deps)) {
    await deps.store.takeUp(old.id, { replace, now: deps.clock().getTime() })
    return offsetOf(deps, drive, { ...old, replace })
  }
  if (old !== null) await forget(deps, drive, old)
  await requireSpace(drive, path, length)
  const announced: Announcement = { id: randomUUIDv7(), userId, path, length, stamp, replace, touchedAt: deps.clock().getTime(), share }
  if (!(await deps.store.create(announced))) fail('busy', { path })
  const upload: Upload = { ...announced, finished: false, placing: false, heldUntil: 0 }
  if (length > 0) return progress(deps, upload, 0)
  return deps.leases.hold(upload.id, { evict: 'silent' }, async (held) => publish(deps, drive, upload, held))
}

/**
 * Takes in bytes at `offset`, and with the last one publishes the file, judged by today's Access. When the line drops, what came stays.
 * @param options.client aborted when the line drops: then somebody else may go on at once
 * @param options.driveNow of the moment when the last byte is there; `drive` where nobody says
 * @param options.size the bytes that the client says are coming, so that too many are refused before the first is read; null when unsaid
 */
export async function proceed(
  deps: UploadsDeps,
  drive: Drive,
  options: Place & {
    offset: number
    size: number | null
    body: ReadableStream<Uint8Array> | null
    client?: AbortSignal
    driveNow?: (() => Promise<Drive>) | undefined
  },
): Promise<Progress> {
  const upload = await current(deps, drive, options)
  const { size, body, client } = options
  if (options.offset > upload.length) fail('invalid-input', { issues: ['upload-offset: beyond upload-length'] })
  if (upload.finished && options.offset !== upload.length) fail('wrong-offset', { offset: upload.length })
  if (upload.finished) return progress(deps, upload, upload.length)
  return deps.leases.hold(upload.id, { evict: 'silent', client }, async (held) => {
    const staged = await drive.stage(upload.id, upload.path)
    const before = await staged.size()
    if (before !== options.offset) fail('wrong-offset', { offset: before })
    const limit = upload.length - before
    if (size !== null && size > limit) fail('too-large', { limit })
    try {
      const after = body === null ? before : await staged.append(body, { limit, signal: held.signal, onBytes: held.noteBytes })
      if (after !== upload.length) return progress(deps, upload, after)
      return await publish(deps, (await options.driveNow?.()) ?? drive, upload, held)
    } catch (error) {
      // More came than was announced: whatever was staged is not the file that the client means, and must not be published later.
      if (isAppError(error, 'too-large') && (await staged.size()) !== before) await staged.discard()
      throw error
    }
  })
}

/**
 * Where to go on: all that came so far, also while more is coming; nobody is stopped for the question, and it waits for nobody. An upload that
 * has all its bytes is published first, so that no client takes "all here" for "done" when it is not; `busy` while somebody else does that.
 */
export async function offset(deps: UploadsDeps, drive: Drive, place: Place): Promise<Progress> {
  const upload = await current(deps, drive, place)
  if (upload.finished) return progress(deps, upload, upload.length)
  await deps.store.touch(upload.id, deps.clock().getTime())
  return offsetOf(deps, drive, upload)
}

/** Forgets an unfinished upload and its bytes; the file that may stand at its path is not touched. */
export async function cancel(deps: UploadsDeps, drive: Drive, place: Place): Promise<void> {
  const upload = await current(deps, drive, place)
  if (upload.finished) fail('not-found', { path: upload.path })
  await deps.leases.hold(upload.id, { evict: 'any' }, async () => discard(deps, drive, upload))
}

/** What this person began and has not finished, as far as they may still see it: what a client that forgot everything can go on with. */
export async function unfinished(deps: UploadsDeps, drive: Drive, userId: number): Promise<Unfinished[]> {
  const now = deps.clock().getTime()
  const uploads = await deps.store.unfinished(userId, { untouchedSince: now - deps.expiryMs + 1, limit: MOST_UNFINISHED })
  const told: Unfinished[] = []
  for (const upload of uploads) {
    const { id, path, length, stamp, touchedAt, heldUntil } = upload
    if (!drive.canSee(path)) continue
    // Its folder may have gone, or lead elsewhere now: then there is nothing to go on with.
    const here = await sizeOf(drive, id, path).catch(() => null)
    if (here === null || isPlaced(upload, here)) continue
    told.push({ path, length, offset: here, stamp, expires: touchedAt + deps.expiryMs, active: heldUntil > now })
  }
  return told
}

async function sizeOf(drive: Drive, id: string, path: FilePath): Promise<number> {
  return (await drive.stage(id, path)).size()
}

/** Whether the upload is over for everybody but clients that know how to ask about it. */
export async function isFinished(deps: UploadsDeps, { userId, path }: Place): Promise<boolean> {
  return (await deps.store.find(userId, path))?.finished === true
}

async function current(deps: UploadsDeps, drive: Drive, place: Place): Promise<Upload> {
  const upload = await found(deps, drive, place)
  if (upload === null || upload.touchedAt + deps.expiryMs <= deps.clock().getTime()) return fail('not-found', { path: place.path })
  return upload
}

/** A server may have ended in the moment between giving the bytes their place and noting that: this is made up for here. */
async function found(deps: UploadsDeps, drive: Drive, { userId, path }: Place): Promise<Upload | null> {
  const upload = await deps.store.find(userId, path)
  if (upload === null || !upload.placing || !isPlaced(upload, await sizeOf(drive, upload.id, path))) return upload
  await finish(deps, upload)
  return { ...upload, finished: true }
}

/** Staged bytes that were all here go nowhere but to their place; that an empty file was staged cannot be seen. */
function isPlaced({ placing, length }: Upload, staged: number): boolean {
  return placing && length > 0 && staged === 0
}

/** Without a stamp two files of one length cannot be told apart, and are taken for two. */
function isSame(old: Upload, file: Announced, { clock, expiryMs }: UploadsDeps): boolean {
  if (old.finished || old.touchedAt + expiryMs <= clock().getTime()) return false
  return file.stamp !== '' && old.stamp === file.stamp && old.length === file.length
}

async function offsetOf(deps: UploadsDeps, drive: Drive, upload: Upload): Promise<Progress> {
  const staged = await drive.stage(upload.id, upload.path)
  const size = await staged.size()
  if (size < upload.length) return progress(deps, upload, size)
  return deps.leases.hold(upload.id, { evict: 'silent' }, async (held) => {
    const still = await staged.size()
    return still === upload.length ? publish(deps, drive, upload, held) : progress(deps, upload, still)
  })
}

async function publish(deps: UploadsDeps, drive: Drive, upload: Upload, held: Held): Promise<Progress> {
  const staged = await drive.stage(upload.id, upload.path)
  if (upload.length === 0) await staged.append(new Uint8Array(0))
  // Somebody may have asked to replace while the bytes were travelling.
  const { replace } = (await deps.store.find(upload.userId, upload.path)) ?? upload
  await held.confirm()
  await drive.put(upload.path, staged, { replace, modified: modifiedOf(upload.stamp) })
  await finish(deps, upload)
  return progress(deps, upload, upload.length)
}

async function finish({ store, clock }: UploadsDeps, { id }: Upload): Promise<void> {
  await store.finish(id, clock().getTime() + REMEMBER_FINISHED_MS)
}

async function forget(deps: UploadsDeps, drive: Drive, old: Upload): Promise<void> {
  if (old.finished) return deps.store.remove(old.id)
  await deps.leases.hold(old.id, { evict: 'silent' }, async () => discard(deps, drive, old))
}

/** Bytes before the row: a crash in between leaves an upload that starts at 0, not bytes that nobody owns. */
async function discard({ store }: UploadsDeps, drive: Drive, upload: Upload): Promise<void> {
  await (await drive.stage(upload.id, upload.path)).discard()
  await store.remove(upload.id)
}

async function requireSpace(drive: Drive, path: FilePath, length: number): Promise<void> {
  const { total, used } = await drive.space(parentOf(path))
  if (length > total - used) fail('storage-full', {})
}

function progress({ clock, expiryMs }: UploadsDeps, { length, stamp }: Upload, at: number): Progress {
  return { offset: at, length, stamp, expires: new Date(clock().getTime() + expiryMs) }
}
