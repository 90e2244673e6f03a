import { randomUUIDv7 } from 'bun'
import type { Unfinished } from '../../shared/contract/tus.ts'
import { AppError, fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, parentOf } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { chooseUpload } from './choose-upload.ts'
import type { HeldLease, Leases } from './leases.ts'
import { modifiedOf } from './upload-metadata.ts'
import { type Announcement, stagedName, type Upload, type UploadStore } from './store.ts'

type StagedFile = Awaited<ReturnType<Drive['stage']>>

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
export interface UploadTarget {
  readonly userId: number
  readonly path: FilePath
  /** The link through which a visitor sends it, in the name of its owner; nothing for a person's own. */
  readonly share?: string
  /** What its client calls it; nothing where it does not say. */
  readonly key?: string | undefined
  /** Of whom asks. */
  readonly session?: string
}

export interface Announced extends UploadTarget {
  readonly length: number
  readonly stamp: string
  readonly replace: boolean
}

export interface Progress {
  /** What the client may call it. */
  readonly key: string
  /** Bytes that are here and stay; equal to `length` only when the file is in its place. */
  readonly offset: number
  readonly length: number
  readonly stamp: string
  readonly expires: Date
}

/**
 * Before any byte: may this file come here at all? Each announcement is an upload of its own, unless it names one: if that is the same file
 * (length and stamp agree), it goes on, and is published at once when only that was missing; if not, it is discarded. An empty file is complete
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
  const upload: Upload = { ...announced, finished: false, placing: false, durable: 0, generation: 0, heldUntil: 0 }
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
  options: UploadTarget & {
    offset: number
    size: number | null
    body: ReadableStream<Uint8Array> | null
    client?: AbortSignal
    driveNow?: (() => Promise<Drive>) | undefined
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
      const how = { at, limit, signal, whole: upload.length, onBytes: noteBytes, onDurable: noteDurable, mayWrite }
      const after = body === null ? here : await staged.append(body, how)
      if (after !== upload.length) return progress(deps, upload, after)
    } catch (error) {
      // More came than was announced: whatever was staged is not the file that the client means, and must not be published later.
      if (isAppError(error, 'too-large') && (await staged.size()) !== here) await startAnew(staged, held)
      throw error
    }
    return publishOrKeep(deps, (await options.driveNow?.()) ?? drive, upload, { held, staged })
  })
}

/**
 * Where to go on: all that is safe so far, also while more is coming; nobody is stopped for the question, and it waits for nobody. An upload that
 * has all its bytes is published first, so that no client takes "all here" for "done" when it is not; `busy` while somebody else does that.
 */
export async function offset(deps: UploadsDeps, drive: Drive, place: UploadTarget): Promise<Progress> {
  const upload = await current(deps, drive, place)
  if (upload.finished) return progress(deps, upload, upload.length)
  await deps.store.touch(upload.id, deps.clock().getTime())
  return offsetOf(deps, drive, upload)
}

/** Forgets an unfinished upload and its bytes; the file that may stand at its path is not touched. */
export async function cancel(deps: UploadsDeps, drive: Drive, place: UploadTarget): Promise<void> {
  const upload = await current(deps, drive, place)
  if (upload.finished) fail('not-found', { path: upload.path })
  await deps.leases.hold(upload.id, { evict: 'any' }, async (held) => discard(deps, drive, upload, held))
}

/** What this person began and has not finished, as far as they may still see it: what a client that forgot everything can go on with. */
export async function unfinished(deps: UploadsDeps, drive: Drive, userId: number): Promise<Unfinished[]> {
  const now = deps.clock().getTime()
  const uploads = await deps.store.unfinished(userId, { untouchedSince: now - deps.expiryMs + 1, limit: MOST_UNFINISHED })
  const told: Unfinished[] = []
  for (const upload of uploads) {
    const { path, key, length, stamp, touchedAt, heldUntil } = upload
    if (!drive.canSee(path)) continue
    // Its folder may have gone, or lead elsewhere now: then there is nothing to go on with.
    const staged = await stagedOf(drive, upload).catch(() => null)
    if (staged === null || (await isPlaced(upload, staged))) continue
    const here = await safeBytes(upload, staged)
    told.push({ path, upload: key, length, offset: here, stamp, expires: touchedAt + deps.expiryMs, active: heldUntil > now })
  }
  return told
}

/** Whether the upload is over for everybody but clients that know how to ask about it. */
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

/** A server may have ended in the moment between giving the bytes their place and noting that: this is made up for here. */
async function settled(deps: UploadsDeps, drive: Drive, upload: Upload | null): Promise<Upload | null> {
  if (upload === null || !upload.placing || !(await isPlaced(upload, await stagedOf(drive, upload)))) return upload
  await finish(deps, upload)
  return { ...upload, finished: true }
}

/** Staged bytes that were all here go nowhere but to their place; that an empty file was staged cannot be seen. */
async function isPlaced({ placing, length }: Pick<Upload, 'placing' | 'length'>, staged: StagedFile): Promise<boolean> {
  return placing && length > 0 && (await staged.size()) === 0
}

/** Without a stamp two files of one length cannot be told apart, and are taken for two. */
function isSame(old: Upload, file: Announced, { clock, expiryMs }: UploadsDeps): boolean {
  if (old.finished || old.touchedAt + expiryMs <= clock().getTime()) return false
  return file.stamp !== '' && old.stamp === file.stamp && old.length === file.length
}

async function offsetOf(deps: UploadsDeps, drive: Drive, upload: Upload): Promise<Progress> {
  const staged = await stagedOf(drive, upload)
  const coming = await staged.settle()
  const noted = coming ?? deps.leases.durable(upload.id)
  // Asked anew: who held it may have noted it and let go since.
  const now = (await deps.store.leaseState(upload.id)) ?? fail('not-found', { path: upload.path })
  if (now.finished) return progress(deps, upload, upload.length)
  const here = noted ?? (await safeBytes(now, staged))
  if (coming !== null && here === upload.length) fail('busy', { path: upload.path })
  if (coming !== null || (here < upload.length && !now.placing)) return progress(deps, upload, here)
  return deps.leases.hold(upload.id, { evict: 'silent' }, async (held) => {
    const { staged: mine, here: still } = await open(deps, drive, upload, held)
    if (still === null) return wherePublished(deps, upload, upload.length)
    return still === upload.length ? publishOrKeep(deps, drive, upload, { held, staged: mine }) : progress(deps, upload, still)
  })
}

/** How much of it nobody can lose any more. */
async function safeBytes({ durable }: Pick<Upload, 'durable'>, staged: StagedFile): Promise<number> {
  const size = await staged.size()
  return durable === null ? size : Math.min(durable, size)
}

/** For who holds it: their own staged file, and where to go on; null where the former holder had published it after all. */
async function open(
  deps: UploadsDeps,
  drive: Drive,
  { id, path, length }: Upload,
  held: HeldLease,
): Promise<{ staged: StagedFile; here: number | null }> {
  const { isTakenOver, generation, upload } = held
  const staged = await drive.stage(stagedName(id, generation), path)
  if (isTakenOver) {
    const former = await drive.stage(stagedName(id, upload.generation), path)
    const adopted = await staged.adopt(id, upload.durable ?? (await former.size()))
    if (adopted === 'published' || (adopted === 'nothing' && upload.placing && length > 0)) {
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

/** All bytes are there. Where they cannot have their place yet, they stay; after a failure of the disk nobody knows whether they are whole. */
async function publishOrKeep(
  deps: UploadsDeps,
  drive: Drive,
  upload: Upload,
  { held, staged }: { held: HeldLease; staged: StagedFile },
): Promise<Progress> {
  try {
    return await publish(deps, drive, upload, held)
  } catch (error) {
    const isOfDisk = !(error instanceof AppError) || error.code === 'storage-full'
    if (!isOfDisk && (await staged.size()) === upload.length)
      await staged.append(new Uint8Array(0), { at: upload.length, whole: Number.POSITIVE_INFINITY, onDurable: held.noteDurable })
    throw error
  }
}

async function publish(deps: UploadsDeps, drive: Drive, upload: Upload, held: HeldLease): Promise<Progress> {
  const staged = await drive.stage(stagedName(upload.id, held.generation), upload.path)
  if (upload.length === 0) await staged.append(new Uint8Array(0))
  // Somebody may have asked to replace while the bytes were travelling.
  const { replace } = (await deps.store.find(upload.userId, upload.path, upload.key)) ?? upload
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
  await deps.leases.hold(old.id, { evict: 'silent' }, async (held) => discard(deps, drive, old, held))
}

/** Bytes before the row: a crash in between leaves an upload that starts at 0, not bytes that nobody owns. */
async function discard({ store }: UploadsDeps, drive: Drive, { id, path }: Upload, { upload }: HeldLease): Promise<void> {
  // Those of a writer who may still live as well: it finds nothing to publish.
  await (await drive.stage(stagedName(id, upload.generation), path)).discard()
  await store.remove(id)
}

function stagedOf(drive: Drive, { id, generation, path }: Upload): Promise<StagedFile> {
  return drive.stage(stagedName(id, generation), path)
}

async function requireSpace(drive: Drive, path: FilePath, length: number): Promise<void> {
  const { total, used } = await drive.space(parentOf(path))
  if (length > total - used) fail('storage-full', {})
}

function progress({ clock, expiryMs }: UploadsDeps, { key, length, stamp }: Upload, at: number): Progress {
  return { key, offset: at, length, stamp, expires: new Date(clock().getTime() + expiryMs) }
}
