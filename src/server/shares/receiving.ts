import { fail, isAppError } from '../../shared/errors.ts'
import { type FilePath, joinPath, nameOf, parentOf, pathFrom, ROOT } from '../../shared/file-path.ts'
import type { KeyedMutex } from '../../shared/keyed-mutex.ts'
import { MAX_NOTE_CHARS, MAX_SENDER_CHARS } from '../../shared/limits.ts'
import { numbered } from '../../shared/numbering.ts'
import { isUsedUp } from '../../shared/used-up.ts'
import { hashOf } from '../db/secret.ts'
import type { Drive } from '../drive/drive.ts'
import { textOf } from '../uploads/upload-metadata.ts'
import type { UploadStore } from '../uploads/store.ts'
import type { Quota } from './quota.ts'
import { stillOpen } from './shares.ts'
import type { Share, ShareStore } from './store.ts'
import type { VisitLog } from './visit-log.ts'

const MOST_PENDING = 200
const MOST_TRIES = 100_000

export interface ReceivingDeps {
  readonly store: ShareStore
  readonly quota: Quota
  readonly visitLog: VisitLog
  readonly uploads: { readonly store: UploadStore; readonly expiryMs: number }
  readonly mutex: KeyedMutex
  readonly clock: () => Date
}

export function isUploadSecret(upload: string): boolean {
  return /^[A-Za-z0-9_-]{22,64}$/.test(upload)
}

/**
 * The path under which a visitor's upload is stored: derived from its link and its secret, so that it is unique, and whoever reads the database
 * cannot continue the upload (A16).
 */
export function uploadRootOf({ hash }: Share, upload: string): FilePath {
  if (!isUploadSecret(upload)) fail('invalid-input', { issues: ['upload: 22 to 64 letters of base64url'] })
  return joinPath(ROOT, hashOf(`${hash}.${upload}`))
}

/** Checks whether a link accepts such a file: fails with `forbidden`, `too-large` and `unsupported-media-type`. A drop box has no folders. */
export function checkFile({ rights, drop }: Share, { path, length }: { path: FilePath; length: number }): void {
  if (rights !== 'edit' && rights !== 'drop') fail('forbidden', { right: 'create' })
  if (path === ROOT) fail('invalid-input', { issues: ['path: no name'] })
  if (rights !== 'drop') return
  if (parentOf(path) !== ROOT) fail('invalid-input', { issues: ['path: a drop box has no folders'] })
  if (drop.maxFile !== 0 && length > drop.maxFile) fail('too-large', { limit: drop.maxFile })
  if (drop.types.length > 0 && !drop.types.some((type) => nameOf(path).toLowerCase().endsWith(`.${type}`)))
    fail('unsupported-media-type', { expected: drop.types.join(', ') })
}

/** An upload store in which each upload reserves its room in the drop box; fails as `needRoom` does, and with `busy` for too many at once. */
export function withReservedSpace({ store, mutex, uploads, clock }: ReceivingDeps, { hash }: Share): UploadStore {
  return {
    ...uploads.store,
    create: (upload) =>
      mutex(hash, async () => {
        const pending = await uploads.store.pending(hash, { untouchedSince: clock().getTime() - uploads.expiryMs + 1 })
        if (pending.files >= MOST_PENDING) fail('busy', {})
        needRoom(stillOpen(await store.find(hash), clock()), { length: upload.length, pending })
        return uploads.store.create(upload)
      }),
  }
}

/**
 * Fails with `not-found` if the drop box is full, and so has ended; with `too-large` for more bytes than it still accepts, and with `busy` for room
 * that others have reserved but may not use.
 */
function needRoom(share: Share, { length, pending }: { length: number; pending: { files: number; bytes: number } }): void {
  if (isUsedUp(share)) fail('not-found', {})
  if (share.rights !== 'drop') return
  const { drop, received } = share
  const room = drop.maxBytes === 0 ? Infinity : drop.maxBytes - received.bytes
  if (length > room) fail('too-large', { limit: room })
  const isReserved = length + pending.bytes > room || (drop.maxFiles !== 0 && received.files + pending.files >= drop.maxFiles)
  if (isReserved) fail('busy', {})
}

/**
 * A visitor's Drive for the code of uploads: paths begin with `uploadRoot`, and a taken name gets a number instead of a conflict, so that nobody
 * learns what exists. All limits are checked again before the file is published.
 */
export function receivingDrive(
  { store, quota, visitLog, uploads, clock }: ReceivingDeps,
  { drive, share, uploadRoot, address }: { drive: Drive; share: Share; uploadRoot: FilePath; address: string | null },
): Drive {
  const inside = (path: FilePath): FilePath => pathFrom(uploadRoot, path) ?? fail('not-found', {})

  async function putNumbered<T>(path: FilePath, put: (path: FilePath) => Promise<T>): Promise<{ result: T; path: FilePath }> {
    const taken = new Set<string>()
    for (let number = 0; ; number++) {
      const wanted = number === 0 ? path : joinPath(parentOf(path), numbered(nameOf(path), number))
      if (taken.has(nameOf(wanted))) continue
      try {
        return { result: await put(wanted), path: wanted }
      } catch (error) {
        if (!isTaken(error, wanted) || number >= MOST_TRIES) throw error
        if (taken.size === 0) for (const name of (await drive.list(parentOf(path))).names) taken.add(name)
      }
    }
  }

  return {
    ...drive,
    space: (path) => drive.space(parentOf(inside(path))),
    stage: (path, options) => drive.stage(inside(path), options),
    reserve: (id, files) =>
      drive.reserve(
        id,
        files.map((file) => ({ ...file, path: inside(file.path), replace: false })),
        'visit',
      ),
    async expect(path) {
      try {
        await drive.expect(inside(path), { replace: false })
      } catch (error) {
        // What is hidden from its owner looks like what cannot be created at all.
        if (isAppError(error, 'not-found')) fail('forbidden', { right: 'create' })
        if (!isTaken(error, inside(path))) throw error
      }
    },
    async put(path, staged, options) {
      const now = stillOpen(await store.find(share.hash), clock())
      const length = await staged.size()
      checkFile(now, { path: inside(path), length })
      needRoom(now, { length, pending: { files: 0, bytes: 0 } })
      // The loser of a race for the last room retries, and gets the current answer.
      if (!(await quota.receive(now, length))) fail('busy', {})
      const signed = readSigned((await uploads.store.find(share.userId, path, ''))?.stamp ?? '')
      const done = await putNumbered(inside(path), (free) => drive.put(free, staged, { ...options, replace: false })).catch(
        async (error: unknown) => {
          await quota.giveBack(now, length)
          throw error
        },
      )
      await visitLog.note(now, { kind: 'upload', path: done.path, address, ...signed }, clock())
      return done.result
    },
  }
}

/** The name itself, not a folder on the way to it. */
function isTaken(error: unknown, path: FilePath): boolean {
  return isAppError(error, 'already-exists') && error.detail.path === path
}

/** The sender's name and note, from `sender` and `note` in Upload-Metadata. Fails with `invalid-input` if they are too long. */
export function readSigned(stamp: string): { sender: string; note: string } {
  const sender = textOf(stamp, 'sender').trim()
  const note = textOf(stamp, 'note').trim()
  if (sender.length > MAX_SENDER_CHARS) fail('invalid-input', { issues: [`sender: at most ${MAX_SENDER_CHARS} letters`] })
  if (note.length > MAX_NOTE_CHARS) fail('invalid-input', { issues: [`note: at most ${MAX_NOTE_CHARS} letters`] })
  return { sender, note }
}
