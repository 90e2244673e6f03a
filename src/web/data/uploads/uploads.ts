import type { QueryClient } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { tus } from '../../../shared/contract/tus.ts'
import { OPERATION_HEADER } from '../../../shared/contract/operation-header.ts'
import { resources } from '../../../shared/contract/resources.ts'
import { type FilePath, joinPath, nameOf, parentOf, placeUnder, ROOT } from '../../../shared/file-path.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { numbered } from '../../../shared/numbering.ts'
import { authHeaders, clientFor, onResponse } from '../client.ts'
import { pageConfig } from '../page-config.ts'
import { QUOTAS_KEY } from '../query.ts'
import { recordVisit } from '../recent-files.ts'
import { ask } from '../prompts.ts'
import { type Gesture, withGesture } from '../undo.ts'
import { bodyLimit } from './body-limit.ts'
import { bulkCount, createBulk } from './bulk.ts'
import { type Conflict, findConflicts, readFolderWith } from './conflicts.ts'
import { type DropContents, type Dropped, loadSizes, readDrop, readPicked } from './dropped.ts'
import { createUploadQueue, isOpen, type QueueState, type Run, type Upload } from './queue.ts'
import { type ConflictAnswer, type UploadItem, send } from './send.ts'
import { begin, sendBulk, transfer, uploadIdOf, type UploadOptions } from './tus-upload.ts'
import { sendXhr } from './xhr.ts'

const client = clientFor({ resources, tus })

declare module '../prompts.ts' {
  interface PromptKinds {
    /** Asks what to do with each file whose name is taken; if dismissed, nothing is uploaded. */
    'upload-conflict': { props: { conflicts: readonly Conflict[] }; answer: ReadonlyMap<FilePath, ConflictAnswer> }
  }
}

/** Called when the queue becomes idle. @param gesture that all of them belong to; null if there were several */
export type BatchListener = (uploads: readonly Upload[], gesture: Gesture | null) => void

const REFRESH_EVERY_MS = 2000
const readFolder = readFolderWith(client)
let queries: QueryClient | null = null
/** Batches that ended before the frame was there to tell of them. */
const early: Parameters<BatchListener>[] = []
let onBatch: BatchListener = (...batch) => void early.push(batch)
let refreshedAt = 0
let owner: number | null = null
const firstOwner = Promise.withResolvers<number>()
/** Of all uploads of this page. */
const gestures = new Map<string, Gesture>()

const queue = createUploadQueue({
  run: runUpload,
  batch(line, waiting) {
    const [first] = line
    const operation = first?.operation
    const count = bulkCount(ofGesture(line, operation), waiting)
    if (count === 1) return null
    const { signal } = new AbortController()
    const options = optionsFor({ signal, onProgress: () => undefined, onOffline: () => undefined }, operation)
    return { count, slot: createBulk(count, (items, control) => sendBulk(items, control, options)).slot }
  },
  // If the request fails, the server's cleanup deletes it.
  discard: (job) => void client.tus.cancel({ params: { path: job.path }, query: { upload: uploadIdOf(job) } }).catch(() => undefined),
  onIdle(uploads) {
    refresh({ now: true })
    void queries?.invalidateQueries({ queryKey: ['unfinished'] })
    const [first, ...others] = new Set(uploads.map(({ operation }) => operation))
    onBatch(uploads, (others.length === 0 && gestures.get(first ?? '')) || null)
  },
})

export const { cancel: cancelUpload, cancelAll: cancelUploads, retry: retryUpload, retryAll: retryUploads, clear: clearUploads } = queue
export const { pause: pauseUpload, pauseAll: pauseUploads, resume: resumeUpload, resumeAll: resumeUploads, move: moveUpload } = queue

/** Warn before closing the tab with open uploads. */
addEventListener('beforeunload', (event) => {
  if (queue.store.getState().uploads.some(({ state }) => isOpen(state))) event.preventDefault()
})

/**
 * Binds the queue to the signed-in user. Uploads of this user that were suspended when the last session expired continue; those of another user are
 * dropped.
 */
export function bindUploads(options: { owner: number; queries: QueryClient; onRound: BatchListener }): void {
  if (owner !== null && owner !== options.owner) dropUploads()
  owner = options.owner
  firstOwner.resolve(options.owner)
  queries = options.queries
  onBatch = options.onRound
  for (const batch of early.splice(0)) onBatch(...batch)
  queue.unsuspend()
}

/** The session has expired: active uploads wait for a new sign-in. */
export const suspendUploads = queue.suspend

/** The user has signed out. */
export function dropUploads(): void {
  onBatch = () => undefined
  early.length = 0
  queue.cancelAll()
  queue.clear()
  void clearStoredHandles().catch(() => undefined)
}

export function useUploads<T>(select: (state: QueueState) => T): T {
  return useStore(queue.store, select)
}

/** The request size limit of a proxy, if it is below the parts that the settings want; null while nothing was rejected. */
export function useBodyLimit(): number | null {
  return useStore(bodyLimit.store, ({ bytes }) => (bytes !== null && bytes < pageConfig.TusSettings.chunkSize ? bytes : null))
}

/** Queues files whose destination is settled; uploads of an earlier page resume at the server's offset. */
export function uploadTo(jobs: readonly UploadItem[]): void {
  void uploadAsGesture(async () => jobs.map((job) => ({ job, decided: null })))
}

/** Uploads dropped files. */
export async function uploadDrop(drop: DropContents, target: FilePath): Promise<void> {
  await upload(target, await readDrop(drop))
}

/** Uploads chosen files. */
export async function uploadFiles(files: readonly File[], target: FilePath): Promise<void> {
  await upload(target, readPicked(files))
}

/** Asks about all conflicts, creates the folders, then queues the files. */
async function upload(target: FilePath, dropped: readonly Dropped[]): Promise<void> {
  await loadSizes(dropped)
  const conflicts = await findConflicts(target, dropped, readFolder)
  const decided = conflicts.length === 0 ? new Map<FilePath, ConflictAnswer>() : await ask('upload-conflict', { conflicts })
  if (decided === null) return
  await uploadAsGesture(async (operation) => {
    for (const { path, file } of dropped) {
      const params = { path: placeUnder(target, path), slash: true as const }
      if (file === null) await client.resources.upload({ params, query: { override: 'false' }, body: '' }, { operation })
    }
    // The upload does not wait for this.
    void storeHandles(target, dropped).catch(() => undefined)
    return dropped.flatMap(({ path, file }) => {
      const place = placeUnder(target, path)
      return file === null ? [] : [{ job: { path: place, file }, decided: decided.get(place) ?? null }]
    })
  })
  refresh({ now: true })
}

/** Queues what `prepare` returns. The gesture ends with the last upload. */
async function uploadAsGesture(prepare: (operation: string) => Promise<Parameters<typeof queue.enqueue>[0]>): Promise<void> {
  const queued = Promise.withResolvers<void>()
  const all = withGesture(async (gesture) => {
    const operation = gesture.group
    const items = await prepare(operation)
    gestures.set(operation, gesture)
    queue.enqueue(items.map(({ job, decided }) => ({ job: { ...job, operation }, decided })))
    queued.resolve()
    await untilEnded(operation)
  })
  await Promise.race([queued.promise, all])
}

/** Resolves when all uploads of a gesture have ended. */
function untilEnded(operation: string): Promise<void> {
  return new Promise((resolve) => {
    const look = ({ uploads }: QueueState) => {
      if (uploads.some((one) => one.operation === operation && isOpen(one.state))) return
      stop()
      resolve()
    }
    const stop = queue.store.subscribe(look)
    look(queue.store.getState())
  })
}

/** The items from the head of the queue that belong to one gesture. */
function* ofGesture(line: Iterable<UploadItem>, operation: string | undefined): Iterable<UploadItem> {
  for (const item of line) {
    if (item.operation !== operation) return
    yield item
  }
}

/** Stores handles of large files, so that they can be resumed after the page was closed. */
async function storeHandles(target: FilePath, dropped: readonly Dropped[]): Promise<void> {
  const large = dropped.filter(({ file, stored }) => file !== null && file.size > SINGLE_POST_BYTES && stored !== undefined)
  if (large.length === 0) return
  // The first drop loads this module and can arrive before the user is known.
  const by = owner ?? (await firstOwner.promise)
  const { storeHandle } = await import('./handles.ts')
  for (const { path, stored } of large) if (stored !== undefined) await storeHandle(by, placeUnder(target, path), stored)
}

async function clearStoredHandles(): Promise<void> {
  const { clearHandles } = await import('./handles.ts')
  await clearHandles()
}

function optionsFor(
  control: Pick<UploadOptions, 'signal' | 'onProgress' | 'onOffline' | 'slot'>,
  operation: string | undefined,
): UploadOptions {
  const { chunkSize, retryCount } = pageConfig.TusSettings
  return {
    ...control,
    base: pageConfig.BaseURL,
    headers: () => ({ ...authHeaders(), ...(operation !== undefined && { [OPERATION_HEADER]: operation }) }),
    chunkBytes: chunkSize,
    limit: bodyLimit,
    retries: retryCount,
    isUploaded,
    request: (outgoing) =>
      sendXhr({
        ...outgoing,
        onResponse: ({ status, header }) => onResponse(status, header('x-renew-token'), outgoing.headers['x-auth'] ?? null),
      }),
  }
}

/** File systems store times with a resolution of up to two seconds. */
const TIME_STEP_MS = 2000

async function isUploaded({ path, file }: UploadItem): Promise<boolean> {
  const node = await client.resources.get({ params: { path } })
  return node.size === file.size && Math.abs(Date.parse(node.modified) - file.lastModified) <= TIME_STEP_MS
}

async function runUpload(...[job, { decided, ...control }]: Parameters<Run>): Promise<'sent' | 'skipped'> {
  const options = optionsFor(control, job.operation)
  const outcome = await send(
    job,
    {
      begin: (one, { override }) => begin(one, { override }, options),
      async transfer(one, { override }) {
        await transfer(one, { override }, options)
        recordVisit(one.path, 'uploaded')
      },
      askConflict: askConflict,
      freeName,
    },
    decided,
  )
  refresh({ now: false })
  return outcome
}

/** The name was taken after the conflicts of the drop were resolved. */
async function askConflict({ path, file }: { path: FilePath; file: File }): Promise<ConflictAnswer> {
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
  void queries?.invalidateQueries({ queryKey: QUOTAS_KEY })
}
