import type { QueryClient } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { tus } from '../../../shared/contract/tus.ts'
import { resources } from '../../../shared/contract/resources.ts'
import { type FilePath, joinPath, nameOf, parentOf, placeUnder, ROOT } from '../../../shared/file-path.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { numbered } from '../../../shared/numbering.ts'
import { authHeaders, clientFor, onResponse } from '../client.ts'
import { pageConfig } from '../page-config.ts'
import { recordVisit } from '../favourites.ts'
import { ask } from '../prompts.ts'
import { bodyLimit } from './body-limit.ts'
import { bulkCount, createBulk } from './bulk.ts'
import { type Conflict, findConflicts, readFolderWith } from './conflicts.ts'
import { type Dropped, lookAtSizes, readDrop, readPicked } from './dropped.ts'
import { createUploadQueue, isOpen, type QueueState, type Run, type Upload } from './queue.ts'
import { type ConflictAnswer, type Job, send } from './send.ts'
import { begin, sendBulk, transfer, uploadOf, type WireOptions } from './wire.ts'
import type { Held } from './start.ts'
import { sendXhr } from './xhr.ts'

const client = clientFor({ resources, tus })

declare module '../prompts.ts' {
  interface PromptKinds {
    /** What happens to each dropped file whose name is taken; dismissed, nothing is uploaded at all. */
    'upload-conflict': { props: { conflicts: readonly Conflict[] }; answer: ReadonlyMap<FilePath, ConflictAnswer> }
  }
}

/** What the queue tells when a round has ended. */
export type RoundListener = (uploads: readonly Upload[]) => void

const REFRESH_EVERY_MS = 2000
const readFolder = readFolderWith(client)
let queries: QueryClient | null = null
let onRound: RoundListener = () => undefined
let refreshedAt = 0
let owner: number | null = null
const firstOwner = Promise.withResolvers<number>()

const queue = createUploadQueue({
  run: carryOut,
  gather(line, waiting) {
    const count = bulkCount(line, waiting)
    if (count === 1) return null
    const { signal } = new AbortController()
    const options = wireOf({ signal, onProgress: () => undefined, onAway: () => undefined })
    return { count, seat: createBulk(count, (passengers, control) => sendBulk(passengers, control, options)).seat }
  },
  // Should the word not arrive, the server's own sweep does it.
  discard: (job) => void client.tus.cancel({ params: { path: job.path }, query: { upload: uploadOf(job) } }).catch(() => undefined),
  onIdle(uploads) {
    refresh({ now: true })
    void queries?.invalidateQueries({ queryKey: ['unfinished'] })
    onRound(uploads)
  },
})

export const { cancel: cancelUpload, cancelAll: cancelUploads, retry: retryUpload, retryAll: retryUploads, clear: clearUploads } = queue
export const { pause: pauseUpload, pauseAll: pauseUploads, resume: resumeUpload, resumeAll: resumeUploads, move: moveUpload } = queue

/** Closing the tab with uploads under way asks first. */
addEventListener('beforeunload', (event) => {
  if (queue.store.getState().uploads.some(({ state }) => isOpen(state))) event.preventDefault()
})

/**
 * A person is signed in: whose listings a finished upload makes stale, and who tells people about it. Uploads that the end of this person's last
 * session held up go on; anybody else's are forgotten.
 */
export function bindUploads(options: { owner: number; queries: QueryClient; onRound: RoundListener }): void {
  if (owner !== null && owner !== options.owner) dropUploads()
  owner = options.owner
  firstOwner.resolve(options.owner)
  queries = options.queries
  onRound = options.onRound
  queue.release()
}

/** The session has ended by itself: what is under way waits for the person to come back. */
export const holdUploads = queue.hold

/** The person has left. */
export function dropUploads(): void {
  onRound = () => undefined
  queue.cancelAll()
  queue.clear()
  void forgetWays().catch(() => undefined)
}

export function useUploads<T>(select: (state: QueueState) => T): T {
  return useStore(queue.store, select)
}

/** Bytes that pass at once on the way to the server, where less does than we would send; null where nothing was refused. */
export function useBodyLimit(): number | null {
  return useStore(bodyLimit.store, ({ bytes }) => bytes)
}

/** Files whose places are settled: what an earlier page began is taken up again where the server has got to. */
export function uploadTo(jobs: readonly Job[]): void {
  queue.enqueue(jobs.map((job) => ({ job, decided: null })))
}

/** Uploads what was dropped. */
export async function uploadHeld(held: Held, target: FilePath): Promise<void> {
  await upload(target, await readDrop(held))
}

/** Uploads what was picked. */
export async function uploadFiles(files: readonly File[], target: FilePath): Promise<void> {
  await upload(target, readPicked(files))
}

/** Asks about every taken name first, makes the folders, then queues the files. */
async function upload(target: FilePath, dropped: readonly Dropped[]): Promise<void> {
  await lookAtSizes(dropped)
  const conflicts = await findConflicts(target, dropped, readFolder)
  const decided = conflicts.length === 0 ? new Map<FilePath, ConflictAnswer>() : await ask('upload-conflict', { conflicts })
  if (decided === null) return
  for (const { path, file } of dropped) {
    if (file === null)
      await client.resources.upload({ params: { path: placeUnder(target, path), slash: true }, query: { override: 'false' }, body: '' })
  }
  // Whether that can be is nothing the upload waits for.
  void keepWays(target, dropped).catch(() => undefined)
  queue.enqueue(
    dropped.flatMap(({ path, file }) => {
      const place = placeUnder(target, path)
      return file === null ? [] : [{ job: { path: place, file }, decided: decided.get(place) ?? null }]
    }),
  )
  refresh({ now: true })
}

/** Large files can be gone on with after the page was closed, where the browser remembers the way to them. */
async function keepWays(target: FilePath, dropped: readonly Dropped[]): Promise<void> {
  const large = dropped.filter(({ file, kept }) => file !== null && file.size > SINGLE_POST_BYTES && kept !== undefined)
  if (large.length === 0) return
  // The first drop loads this module, and can come before its owner is known.
  const by = owner ?? (await firstOwner.promise)
  const { rememberFile } = await import('./handles.ts')
  for (const { path, kept } of large) if (kept !== undefined) await rememberFile(by, placeUnder(target, path), kept)
}

async function forgetWays(): Promise<void> {
  const { forgetFiles } = await import('./handles.ts')
  await forgetFiles()
}

function wireOf(control: Pick<WireOptions, 'signal' | 'onProgress' | 'onAway' | 'seat'>): WireOptions {
  const { chunkSize, retryCount } = pageConfig.TusSettings
  return {
    ...control,
    base: pageConfig.BaseURL,
    headers: authHeaders,
    chunkBytes: chunkSize,
    limit: bodyLimit,
    retries: retryCount,
    isThere,
    request: (outgoing) =>
      sendXhr({
        ...outgoing,
        onAnswer: ({ status, header }) => onResponse(status, header('x-renew-token'), outgoing.headers['x-auth'] ?? null),
      }),
  }
}

/** File systems keep times in steps of up to two seconds. */
const TIME_STEP_MS = 2000

async function isThere({ path, file }: Job): Promise<boolean> {
  const node = await client.resources.get({ params: { path } })
  return node.size === file.size && Math.abs(Date.parse(node.modified) - file.lastModified) <= TIME_STEP_MS
}

async function carryOut(...[job, { decided, ...control }]: Parameters<Run>): Promise<'sent' | 'skipped'> {
  const options = wireOf(control)
  const outcome = await send(
    job,
    {
      begin: (one, { override }) => begin(one, { override }, options),
      async transfer(one, { override }) {
        await transfer(one, { override }, options)
        recordVisit(one.path, 'uploaded')
      },
      ask: askAbout,
      freeName,
    },
    decided,
  )
  refresh({ now: false })
  return outcome
}

/** Somebody took the name after the drop was asked about. */
async function askAbout({ path, file }: { path: FilePath; file: File }): Promise<ConflictAnswer> {
  const [conflict] = await findConflicts(parentOf(path), [{ path: joinPath(ROOT, nameOf(path)), file }], readFolder)
  const answers = conflict === undefined ? null : await ask('upload-conflict', { conflicts: [conflict] })
  return answers?.get(path) ?? 'skip'
}

async function freeName(path: FilePath): Promise<FilePath> {
  const rows = await readFolder(parentOf(path))
  const taken = new Set(rows?.names)
  for (let n = 1; ; n++) {
    const name = numbered(nameOf(path), n)
    if (!taken.has(name)) return joinPath(parentOf(path), name)
  }
}

function refresh({ now }: { now: boolean }): void {
  if (!now && performance.now() - refreshedAt < REFRESH_EVERY_MS) return
  refreshedAt = performance.now()
  void queries?.invalidateQueries({ queryKey: ['folder'] })
}
