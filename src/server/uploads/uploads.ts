import { randomUUIDv7 } from 'bun'
import type { Unfinished } from '../../shared/contract/tus.ts'
import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, parentOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { chooseUpload, type UploadTarget } from './choose-upload.ts'
import type { HeldLease, Leases } from './leases.ts'
import { modifiedOf } from './upload-metadata.ts'
import { isOfFolderToken } from './token-keys.ts'
import { type Announcement, stagedName, type Upload, type UploadStore } from './store.ts'

export type StagedFile = Awaited<ReturnType<Drive['stage']>>

export interface UploadsDeps {
  readonly store: UploadStore
  readonly leases: Leases
  readonly clock: () => Date
  /** An upload without activity for this long is removed with its bytes. */
  readonly expiryMs: number
}

export const UPLOAD_EXPIRY_MS = 24 * 60 * 60 * 1000
/** The same for visitors of links, whom nobody knows and whose uploads the owner of the link does not see. */
export const VISITOR_EXPIRY_MS = 30 * 60 * 1000
/** How long a published upload can still be queried. */
const REMEMBER_FINISHED_MS = 10 * 60 * 1000

const MOST_UNFINISHED = 1000

export interface Announced extends UploadTarget {
  readonly length: number
  readonly stamp: string
  readonly replace: boolean
}

export interface Progress {
  /** The name by which the client may refer to it. */
  readonly key: string
  /** Durable bytes; equal to `length` only when the file is published. */
  readonly offset: number
  readonly length: number
  readonly stamp: string
  readonly expires: Date
}

/**
 * Checks in advance whether this file may be uploaded. Each announcement is a new upload, unless it names an existing one: if that is the same file
 * (length and stamp agree), it is continued, and published at once if only that was missing; otherwise it is discarded. An empty file is complete
 * with its announcement.
 */
export async function begin(deps: UploadsDeps, drive: Drive, file: Announced): Promise<Progress> {
  const { userId, path, length, stamp, replace, share = '', key, session = '' } = file
  await drive.expect(path, { replace })
  const old = key === undefined && share === '' ? null : await named(deps, drive, { userId, path, key: key ?? '' })
  if (old !== null && isSame(old, file, deps)) {
    await deps.store.takeUp(old.id, { replace, now: deps.clock().getTime() })
    return offsetOf(deps, drive, { ...old, replace })
  }
  if (old !== null) await forget(deps, drive, old)
  await requireSpace(drive, path, length)
  const id = randomUUIDv7()
  const name = share === '' ? (key ?? id) : ''
  const announced: Announcement = { id, userId, path, key: name, session, length, stamp, replace, touchedAt: deps.clock().getTime(), share }
  if (!(await deps.store.create(announced))) fail('busy', { path })
  await reserveOrForget(deps, drive, announced)
  const upload: Upload = { ...announced, finished: false, publishing: false, durable: 0, generation: 0, heldUntil: 0 }
  if (length > 0) return progress(deps, upload, 0)
  return deps.leases.hold(upload.id, { evict: 'silent' }, async (held) => {
    const staged = await drive.stage(path, { id: stagedName(id, held.generation), isNew: true })
    return publish(deps, drive, upload, { held, staged })
  })
}

/**
 * Appends bytes at `offset`, and publishes the file with the last one, with the access of that moment. If the connection is lost, the received bytes
 * stay.
 * @param options.client aborted when the connection is lost: then somebody else may continue at once
 * @param options.size announced length of the body, so that too many bytes are refused before the first is read; null if unknown
 */
export async function appendBytes(
  deps: UploadsDeps,
  drive: Drive,
  options: UploadTarget & {
    offset: number
    size: number | null
    body: ReadableStream<Uint8Array> | null
    client?: AbortSignal
  },
): Promise<Progress> {
  const { size, body, client, offset: at } = options
  const upload = await current(deps, drive, options, { at })
  if (at > upload.length) fail('invalid-input', { issues: ['upload-offset: beyond upload-length'] })
  if (upload.finished && at !== upload.length) fail('wrong-offset', { offset: upload.length })
  if (upload.finished) return progress(deps, upload, upload.length)
  return deps.leases.hold(upload.id, { evict: 'silent', client }, async (held) => {
    const { staged, here } = await open(deps, drive, upload, held)
    if (here === null) return wherePublished(deps, upload, at)
    if (here !== at) fail('wrong-offset', { offset: here })
    const limit = upload.length - here
    if (size !== null && size > limit) fail('too-large', { limit })
    try {
      const { signal, noteBytes, noteDurable, mayWrite } = held
      const lengths = { at, limit, announced: size ?? 0, whole: upload.length }
      const how = { ...lengths, signal, onBytes: noteBytes, onDurable: noteDurable, mayWrite }
      const after = body === null ? here : await staged.append(body, how)
      if (after !== upload.length) return progress(deps, upload, after)
    } catch (error) {
      // More bytes than announced: the staged ones are not the client's file, and must not be published later.
      if (isAppError(error, 'too-large') && (await staged.size()) !== here) await startAnew(staged, held)
      throw error
    }
    return publishOrKeep(deps, drive, upload, { held, staged })
  })
}

/**
 * The offset to continue at: everything that is safe so far, also while more is arriving; nobody is stopped or waited for. A complete upload is
 * published first, so that no client takes "all bytes received" for "done"; `busy` while somebody else does that.
 */
export async function offset(deps: UploadsDeps, drive: Drive, place: UploadTarget): Promise<Progress> {
  const upload = await current(deps, drive, place)
  if (upload.finished) return progress(deps, upload, upload.length)
  await deps.store.touch(upload.id, deps.clock().getTime())
  return offsetOf(deps, drive, upload)
}

/** Removes an unfinished upload and its bytes; an existing file at its path is not touched. */
export async function cancel(deps: UploadsDeps, drive: Drive, place: UploadTarget): Promise<void> {
  const upload = await current(deps, drive, place)
  if (upload.finished) fail('not-found', { path: upload.path })
  await deps.leases.hold(upload.id, { evict: 'any' }, async (held) => discard(deps, drive, upload, held))
}

/** A user's unfinished uploads, as far as they may still see them, for clients that have lost their state. */
export async function unfinished(deps: UploadsDeps, drive: Drive, userId: number): Promise<Unfinished[]> {
  const now = deps.clock().getTime()
  const uploads = await deps.store.unfinished(userId, { untouchedSince: now - deps.expiryMs + 1, limit: MOST_UNFINISHED })
  const told: Unfinished[] = []
  for (const upload of uploads) {
    const { path, key, length, stamp, touchedAt, heldUntil } = upload
    if (isOfFolderToken(upload) || !drive.canSee(path)) continue
    // Its folder may have gone, or lead elsewhere now: then it cannot be continued.
    const staged = await stagedOf(drive, upload).catch(() => null)
    if (staged === null || (await isPublished(upload, staged))) continue
    const here = await safeBytes(upload, staged)
    told.push({ path, upload: key, length, offset: here, stamp, expires: touchedAt + deps.expiryMs, active: heldUntil > now })
  }
  return told
}

/** Whether the upload has ended for all clients except those that can ask about it. */
export async function isFinished(deps: UploadsDeps, place: UploadTarget): Promise<boolean> {
  return chooseUpload(await deps.store.at(place.userId, place.path), place, { now: deps.clock().getTime() })?.finished === true
}

async function current(deps: UploadsDeps, drive: Drive, place: UploadTarget, options: { at?: number } = {}): Promise<Upload> {
  const now = deps.clock().getTime()
  const all = await deps.store.at(place.userId, place.path)
  const alive = all.filter(({ touchedAt }) => touchedAt + deps.expiryMs > now)
  const upload = await settled(deps, drive, chooseUpload(alive, place, { ...options, now }))
  return upload ?? fail('not-found', { path: place.path })
}

async function named(deps: UploadsDeps, drive: Drive, { userId, path, key }: { userId: number; path: FilePath; key: string }) {
  return settled(deps, drive, await deps.store.find(userId, path, key))
}

/** Completes an upload whose server died between publishing and recording that. */
async function settled(deps: UploadsDeps, drive: Drive, upload: Upload | null): Promise<Upload | null> {
  if (upload === null || !upload.publishing || !(await isPublished(upload, await stagedOf(drive, upload)))) return upload
  await finish(deps, upload)
  return { ...upload, finished: true }
}

/** Complete staged bytes can only have been published; whether an empty file was staged cannot be seen. */
async function isPublished({ publishing, length }: Pick<Upload, 'publishing' | 'length'>, staged: StagedFile): Promise<boolean> {
  return publishing && length > 0 && (await staged.size()) === 0
}

/** Without a stamp, two files of one length cannot be distinguished, and are treated as different. */
function isSame(old: Upload, file: Announced, { clock, expiryMs }: UploadsDeps): boolean {
  if (old.finished || old.touchedAt + expiryMs <= clock().getTime()) return false
  return file.stamp !== '' && old.stamp === file.stamp && old.length === file.length
}

async function offsetOf(deps: UploadsDeps, drive: Drive, upload: Upload): Promise<Progress> {
  const staged = await stagedOf(drive, upload)
  const coming = await staged.settle()
  const noted = coming ?? deps.leases.durable(upload.id)
  // Read again: its holder may have stored it and released it since.
  const now = (await deps.store.leaseState(upload.id)) ?? fail('not-found', { path: upload.path })
  if (now.finished) return progress(deps, upload, upload.length)
  const here = noted ?? (await safeBytes(now, staged))
  if (coming !== null && here === upload.length) fail('busy', { path: upload.path })
  if (coming !== null || (here < upload.length && !now.publishing)) return progress(deps, upload, here)
  return deps.leases.hold(upload.id, { evict: 'silent' }, async (held) => {
    const { staged: mine, here: still } = await open(deps, drive, upload, held)
    if (still === null) return wherePublished(deps, upload, upload.length)
    return still === upload.length ? publishOrKeep(deps, drive, upload, { held, staged: mine }) : progress(deps, upload, still)
  })
}

/** The durable bytes. */
async function safeBytes({ durable }: Pick<Upload, 'durable'>, staged: StagedFile): Promise<number> {
  if (durable === 0) return 0
  const size = await staged.size()
  return durable === null ? size : Math.min(durable, size)
}

/** For the holder: its own staged file and the offset; null if the former holder had published it after all. */
export async function open(
  deps: UploadsDeps,
  drive: Drive,
  { id, path, length }: Upload,
  held: HeldLease,
): Promise<{ staged: StagedFile; here: number | null }> {
  const { isTakenOver, generation, upload } = held
  const staged = await drive.stage(path, { id: stagedName(id, generation) })
  if (isTakenOver) {
    const former = await drive.stage(path, { id: stagedName(id, upload.generation) })
    const adopted = await staged.adopt(id, upload.durable ?? (await former.size()))
    if (adopted === 'published' || (adopted === 'nothing' && upload.publishing && length > 0)) {
      await deps.store.finish(id, deps.clock().getTime() + REMEMBER_FINISHED_MS)
      return { staged, here: null }
    }
  }
  return { staged, here: await safeBytes(upload, staged) }
}

function wherePublished(deps: UploadsDeps, upload: Upload, at: number): Progress {
  return at === upload.length ? progress(deps, upload, at) : fail('wrong-offset', { offset: upload.length })
}

async function startAnew(staged: StagedFile, held: HeldLease): Promise<void> {
  held.noteDurable(0)
  await staged.discard()
}

/** Publishes a complete upload. If it cannot be published yet, the bytes are kept; after a disk error nobody knows whether they are complete. */
async function publishOrKeep(
  deps: UploadsDeps,
  drive: Drive,
  upload: Upload,
  { held, staged }: { held: HeldLease; staged: StagedFile },
): Promise<Progress> {
  try {
    return await publish(deps, drive, upload, { held, staged })
  } catch (error) {
    const isOfDisk = !(error instanceof AppError) || error.code === 'storage-full'
    if (!isOfDisk && (await staged.size()) === upload.length)
      await staged.append(new Uint8Array(0), { at: upload.length, whole: Number.POSITIVE_INFINITY, onDurable: held.noteDurable })
    throw error
  }
}

async function publish(
  deps: UploadsDeps,
  drive: Drive,
  upload: Upload,
  { held, staged }: { held: HeldLease; staged: StagedFile },
): Promise<Progress> {
  if (upload.length === 0) await staged.append(new Uint8Array(0))
  // The replace option may have changed while the bytes were being sent.
  const { replace } = (await deps.store.find(upload.userId, upload.path, upload.key)) ?? upload
  await held.confirm()
  await drive.put(upload.path, staged, { replace, modified: modifiedOf(upload.stamp) })
  await finish(deps, upload)
  return progress(deps, upload, upload.length)
}

/** Remembers an upload as published. */
export async function finish({ store, clock }: UploadsDeps, { id }: Upload): Promise<void> {
  await store.finish(id, clock().getTime() + REMEMBER_FINISHED_MS)
}

async function forget(deps: UploadsDeps, drive: Drive, old: Upload): Promise<void> {
  if (old.finished) return deps.store.remove(old.id)
  await deps.leases.hold(old.id, { evict: 'silent' }, async (held) => discard(deps, drive, old, held))
}

/** Bytes before the row: a crash in between leaves an upload that starts at 0, not bytes without an owner. */
export async function discard({ store }: UploadsDeps, drive: Drive, { id, path }: Upload, { upload }: HeldLease): Promise<void> {
  // Also those of a writer that may still live: it finds nothing to publish.
  await (await drive.stage(path, { id: stagedName(id, upload.generation) })).discard()
  await store.remove(id)
}

function stagedOf(drive: Drive, { id, generation, path }: Upload): Promise<StagedFile> {
  return drive.stage(path, { id: stagedName(id, generation) })
}

async function requireSpace(drive: Drive, path: FilePath, length: number): Promise<void> {
  const { total, used } = await drive.space(parentOf(path))
  if (length > total - used) fail('storage-full', {})
}

/** What an upload reserves ends with its row. */
async function reserveOrForget({ store }: UploadsDeps, drive: Drive, { id, path, length, replace }: Announcement): Promise<void> {
  try {
    await drive.reserve(id, [{ path, bytes: length, replace }], 'upload')
  } catch (error) {
    await store.remove(id)
    throw error
  }
}

function progress({ clock, expiryMs }: UploadsDeps, { key, length, stamp }: Upload, at: number): Progress {
  return { key, offset: at, length, stamp, expires: new Date(clock().getTime() + expiryMs) }
}
