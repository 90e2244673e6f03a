import { bulk, BULK_MEDIA_TYPE, bulkHead } from '../../../shared/contract/bulk.ts'
import { href } from '../../../shared/contract/endpoint.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION, tus } from '../../../shared/contract/tus.ts'
import { MTIME_HEADER, resources } from '../../../shared/contract/resources.ts'
import { AppError, type ErrorCode, type ErrorDetails, fail, isAppError } from '../../../shared/errors.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { type BodyLimit, BodyRefused } from './body-limit.ts'
import type { BulkItem, BulkSlot } from './bulk.ts'
import { createPieceSize } from './piece-size.ts'
import { withRetry, type RetryOptions } from './retry.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import type { UploadItem } from './send.ts'
import { type Incoming, type Outgoing, PAUSED, sendXhr } from './xhr.ts'

export interface UploadOptions extends RetryOptions {
  /** Base URL, without trailing slash. */
  readonly base: string
  /** Read for every request, because the token may have been renewed. */
  readonly headers: () => Record<string, string>
  /** Bytes of the first PATCH; on a fast line they grow (`piece-size.ts`). */
  readonly chunkBytes: number
  /** The body size that proxies accept, as found so far. */
  readonly limit: BodyLimit
  /** Bytes of the file sent so far. */
  readonly onProgress: (sent: number) => void
  readonly request?: (outgoing: Outgoing) => Promise<Incoming>
  /** Slot in a bulk request, for small files. */
  readonly slot?: BulkSlot | null
  /** Whether the uploaded file exists; called when a response was lost. */
  readonly isUploaded?: (job: UploadItem) => Promise<boolean>
}

/** Small files whose response was lost: they may have been uploaded. */
const uncertain = new WeakSet<File>()

/** Creates the tus upload of a large file; small files need none, because their POST rejects a taken name. */
export async function begin({ path, file }: UploadItem, { override }: { override: boolean }, options: UploadOptions): Promise<void> {
  if (isOnePost(file, options)) return
  await create({ path, file }, { override }, options)
}

/** Upload ids by file and path: a retried file resumes its own upload, never one of another page. */
const uploadIds = new WeakMap<File, Map<FilePath, string>>()

/** The upload id of a file for a path, generated on first use. */
export function uploadIdOf({ path, file }: UploadItem): string {
  return uploadIds.get(file)?.get(path) ?? resumeAs({ path, file }, newUploadId())
}

/** Makes this file resume an upload of an earlier page. */
export function resumeAs({ path, file }: UploadItem, upload: string): string {
  const names = uploadIds.get(file) ?? new Map<FilePath, string>()
  uploadIds.set(file, names.set(path, upload))
  return upload
}

/** Works without `crypto.randomUUID`, which needs HTTPS. */
export function newUploadId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function create({ path, file }: UploadItem, { override }: { override: boolean }, options: UploadOptions): Promise<void> {
  const query = { upload: uploadIdOf({ path, file }), ...(override && { override: 'true' }) }
  const address = options.base + href(tus.create, { params: { path }, query })
  await createUpload(address, { file, stamp: uploadMetadata(file) }, options)
}

/** Creates an upload (tus creation). */
export async function createUpload(
  address: string,
  { file, stamp: metadata }: { file: File; stamp: string },
  options: UploadOptions,
): Promise<void> {
  const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': String(file.size), 'upload-metadata': metadata }
  await withRetry(options, () => ask(options, { method: 'POST', address, headers }))
}

/** Sends a file: up to 8 MiB in one POST, larger ones with tus from the server's offset, and also with tus what a proxy rejects as a whole. */
export async function transfer(job: UploadItem, { override }: { override: boolean }, options: UploadOptions): Promise<void> {
  const sendBody = createSender(options)
  if (isOnePost(job.file, options)) {
    const { signal, onProgress, slot } = options
    let passed = true
    const sendAlone = async (): Promise<void> => void (passed = await post(job, override, { ...options, sendBody }))
    await (slot ? slot.send({ job, override, signal, onProgress, sendAlone }) : sendAlone())
    if (passed) return
    await create(job, { override }, options)
  }
  const address = options.base + href(tus.append, { params: { path: job.path }, query: { upload: uploadIdOf(job) } })
  try {
    await patchFile(address, job.file, options, sendBody).catch(async (error: unknown) => {
      if (!isAppError(error, 'not-found')) throw error
      // The upload has expired on the server.
      await create(job, { override }, options)
      await patchFile(address, job.file, options, sendBody)
    })
  } catch (error) {
    if (options.signal.aborted && options.signal.reason !== PAUSED) void terminateUpload(address, options)
    throw error
  }
  options.onProgress(job.file.size)
}

function isOnePost(file: File, { limit }: UploadOptions): boolean {
  return file.size <= Math.min(SINGLE_POST_BYTES, limit.store.getState().bytes ?? Infinity)
}

interface Sending extends UploadOptions {
  readonly sendBody: SendBody
}

/** Sends a created upload from the server's offset. */
export async function patchFile(address: string, file: File, options: UploadOptions, sendBody = createSender(options)): Promise<void> {
  let reached = 0
  await withRetry(options, async (progressed) => {
    let offset = await offsetOf(address, options)
    // After a broken connection, small again.
    const pieces = createPieceSize(options.chunkBytes)
    // Bytes that arrived before the connection dropped count as progress.
    if (offset > reached) progressed()
    for (; offset < file.size; progressed()) {
      reached = offset
      options.onProgress(offset)
      const from = offset
      const bytes = Math.min(pieces.next(), options.limit.store.getState().bytes ?? Infinity, file.size - from)
      const begun = performance.now()
      const answer = await sendBody({
        method: 'PATCH',
        address,
        headers: { 'tus-resumable': TUS_VERSION, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE },
        body: file.slice(from, from + bytes),
        onProgress: (sent) => options.onProgress(from + sent),
      })
      if (answer !== null) pieces.arrived({ bytes, ms: performance.now() - begun })
      offset = answer === null ? await offsetOf(address, options) : Number(answer.header('upload-offset'))
      reached = offset
    }
  })
}

/** Deletes a cancelled upload (tus termination); if the request fails, the server's cleanup does it. */
export async function terminateUpload(address: string, options: UploadOptions): Promise<void> {
  const unbound = { ...options, signal: new AbortController().signal }
  const headers = { 'tus-resumable': TUS_VERSION }
  await withRetry(unbound, () => ask(unbound, { method: 'DELETE', address, headers })).catch(() => undefined)
}

/** @returns false if a body of this size is rejected */
async function post({ path, file }: UploadItem, override: boolean, options: Sending): Promise<boolean> {
  const address = options.base + href(resources.upload, { params: { path }, query: { override: String(override) } })
  return withRetry(options, async () => {
    options.onProgress(0)
    const headers = { [MTIME_HEADER]: (file.lastModified / 1000).toFixed(3) }
    const wasSent = uncertain.has(file)
    uncertain.add(file)
    try {
      const answer = await options.sendBody({ method: 'POST', address, headers, body: file, onProgress: options.onProgress })
      uncertain.delete(file)
      return answer !== null
    } catch (error) {
      if (isAnswer(error)) uncertain.delete(file)
      // The name is taken by the file itself: it arrived, but the response was lost.
      if (wasSent && isAppError(error, 'already-exists') && (await options.isUploaded?.({ path, file })) === true) return true
      throw error
    }
  })
}

/** Sends small files in one request. @returns for each, null or its error */
export async function sendBulk(
  items: readonly BulkItem[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number) => void },
  options: UploadOptions,
): Promise<(AppError | null)[]> {
  const head = new Blob([
    bulkHead(items.map(({ job: { path, file }, override }) => ({ path, size: file.size, modified: file.lastModified, override }))),
  ])
  const answer = await markUncertain(
    items.map(({ job }) => job.file),
    () =>
      ask(
        { ...options, signal },
        {
          method: 'POST',
          address: options.base + href(bulk.upload, { params: {} }),
          headers: { 'content-type': BULK_MEDIA_TYPE },
          body: new Blob([head, ...items.map(({ job }) => job.file)]),
          onProgress: (sent) => onProgress(sent - head.size),
        },
      ),
  )
  const parsed = bulk.upload.result.parse(JSON.parse(answer.text()))
  // Client and server share the list of error codes.
  return parsed.failures.map((failure) => failure && new AppError(failure.code, failure.detail as ErrorDetails[ErrorCode]))
}

/** Marks files as uncertain until there is a response. */
async function markUncertain<T>(files: readonly File[], work: () => Promise<T>): Promise<T> {
  for (const file of files) uncertain.add(file)
  const answer = await work()
  for (const file of files) uncertain.delete(file)
  return answer
}

/** Whether the error is a response of the server. */
function isAnswer(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'offline' && error.code !== 'unexpected'
}

type SendBody = (outgoing: Omit<Outgoing, 'signal'> & { readonly body: Blob }) => Promise<Incoming | null>

/** One dropped connection is bad luck; dropped again before much was sent, a proxy may be closing connections for large bodies. */
const MOST_CUTS = 2
/** Bytes that may sit in connection buffers without having been received. */
const BUFFERED_BYTES = 1024 * 1024

/** Sends the requests of one upload. Returns null for a body that was probably too large; the limit is lower then. */
function createSender(options: UploadOptions): SendBody {
  let cuts = 0
  let passed = 0
  return async (outgoing) => {
    const { size } = outgoing.body
    let left = 0
    const onProgress = (sent: number): void => {
      left = sent
      outgoing.onProgress?.(sent)
    }
    try {
      const answer = await ask(options, { ...outgoing, onProgress })
      cuts = 0
      passed = Math.max(passed, size)
      return answer
    } catch (error) {
      if (error instanceof BodyRefused) {
        if (options.limit.refuse(size, { passed })) return null
        throw error.otherwise
      }
      if (!isAppError(error, 'offline')) throw error
      cuts = left <= Math.max(BUFFERED_BYTES, size / 2) ? cuts + 1 : 0
      if (cuts < MOST_CUTS || !options.limit.refuse(size, { passed })) throw error
      cuts = 0
      return null
    }
  }
}

async function offsetOf(address: string, options: UploadOptions): Promise<number> {
  const answer = await ask(options, { method: 'HEAD', address, headers: { 'tus-resumable': TUS_VERSION } })
  return Number(answer.header('upload-offset'))
}

async function ask(options: UploadOptions, outgoing: Omit<Outgoing, 'signal'>): Promise<Incoming> {
  const request = options.request ?? sendXhr
  const attempt = (auth: Record<string, string>) =>
    request({ ...outgoing, headers: { ...auth, ...outgoing.headers }, signal: options.signal })
  const auth = options.headers()
  try {
    return await attempt(auth)
  } catch (error) {
    // Browsers distinguish a removed or changed file from a dropped connection only when the file is read.
    if (isAppError(error, 'offline') && outgoing.body !== undefined && !(await isReadable(outgoing.body))) fail('not-found', {})
    const fresh = options.headers()
    // The token may have been renewed during the request.
    const renewed = isAppError(error, 'sign-in-needed') && fresh['x-auth'] !== undefined && fresh['x-auth'] !== auth['x-auth']
    if (!renewed) throw error
    return attempt(fresh)
  }
}

async function isReadable(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** The Upload-Metadata header, by which the server recognises the file. @param signed additional fields */
export function uploadMetadata(file: File, signed: Readonly<Record<string, string>> = {}): string {
  const encode = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
  const all = { filename: file.name, lastmodified: String(file.lastModified), ...signed }
  return Object.entries(all)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key} ${encode(text)}`)
    .join()
}
