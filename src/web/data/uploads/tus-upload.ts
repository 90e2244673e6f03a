import { bulk, BULK_MEDIA_TYPE, bulkHead } from '../../../shared/contract/bulk.ts'
import { href } from '../../../shared/contract/endpoint.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION, tus } from '../../../shared/contract/tus.ts'
import { MTIME_HEADER, resources } from '../../../shared/contract/resources.ts'
import { AppError, type ErrorCode, type ErrorDetails, fail, isAppError } from '../../../shared/errors.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { type BodyLimit, BodyRefused } from './body-limit.ts'
import type { BulkItem, BulkSlot } from './bulk.ts'
import { withRetry, type RetryOptions } from './retry.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import type { UploadItem } from './send.ts'
import { type Incoming, type Outgoing, PAUSED, sendXhr } from './xhr.ts'

export interface UploadOptions extends RetryOptions {
  /** The base URL, without trailing slash. */
  readonly base: string
  /** Asked anew for every request: a token may have been renewed meanwhile. */
  readonly headers: () => Record<string, string>
  /** Bytes of one PATCH at most. */
  readonly chunkBytes: number
  /** What proxies in front let pass, which is found out on the way. */
  readonly limit: BodyLimit
  /** Bytes of the file that have left so far. */
  readonly onProgress: (sent: number) => void
  readonly request?: (outgoing: Outgoing) => Promise<Incoming>
  /** Where a small file may go along with others. */
  readonly slot?: BulkSlot | null
  /** Whether the very file is at its place; asked where an answer was lost. */
  readonly isUploaded?: (job: UploadItem) => Promise<boolean>
}

/** Small files of which it is not known whether they have arrived: their answer was lost with the line. */
const uncertain = new WeakSet<File>()

/** Reserves the place of a large file by tus; a small one needs no reservation, its one POST refuses a taken name. */
export async function begin({ path, file }: UploadItem, { override }: { override: boolean }, options: UploadOptions): Promise<void> {
  if (isOnePost(file, options)) return
  await create({ path, file }, { override }, options)
}

/** What the server calls the uploads of a file, by path: a file that is sent again goes on with its own upload, and never with another page's. */
const uploadIds = new WeakMap<File, Map<FilePath, string>>()

/** The name of the upload of a file to a path; made up where there is none. */
export function uploadIdOf({ path, file }: UploadItem): string {
  return uploadIds.get(file)?.get(path) ?? resumeAs({ path, file }, newUploadId())
}

/** This file goes on with an upload that an earlier page began. */
export function resumeAs({ path, file }: UploadItem, upload: string): string {
  const names = uploadIds.get(file) ?? new Map<FilePath, string>()
  uploadIds.set(file, names.set(path, upload))
  return upload
}

/** Also where the page came over plain http, and browsers make no UUIDs. */
export function newUploadId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function create({ path, file }: UploadItem, { override }: { override: boolean }, options: UploadOptions): Promise<void> {
  const query = { upload: uploadIdOf({ path, file }), ...(override && { override: 'true' }) }
  const address = options.base + href(tus.create, { params: { path }, query })
  await createUpload(address, { file, stamp: uploadMetadata(file) }, options)
}

/** Tells the server of a file that will come to an address by tus. */
export async function createUpload(
  address: string,
  { file, stamp: metadata }: { file: File; stamp: string },
  options: UploadOptions,
): Promise<void> {
  const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': String(file.size), 'upload-metadata': metadata }
  await withRetry(options, () => ask(options, { method: 'POST', address, headers }))
}

/** Sends the bytes: up to 8 MiB as one POST, more by tus from where the server has got to; by tus also what a proxy refuses whole. */
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
      // Slept for longer than the server remembers.
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

/** Sends a file that was announced, from where the server has got to. */
export async function patchFile(address: string, file: File, options: UploadOptions, sendBody = createSender(options)): Promise<void> {
  let reached = 0
  await withRetry(options, async (progressed) => {
    let offset = await offsetOf(address, options)
    // Also what came before the line dropped is progress.
    if (offset > reached) progressed()
    for (; offset < file.size; progressed()) {
      reached = offset
      options.onProgress(offset)
      const from = offset
      const answer = await sendBody({
        method: 'PATCH',
        address,
        headers: { 'tus-resumable': TUS_VERSION, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE },
        body: file.slice(from, from + Math.min(options.chunkBytes, options.limit.store.getState().bytes ?? Infinity)),
        onProgress: (sent) => options.onProgress(from + sent),
      })
      offset = answer === null ? await offsetOf(address, options) : Number(answer.header('upload-offset'))
      reached = offset
    }
  })
}

/** What was sent of a cancelled upload is thrown away; should the word not arrive, the server's own sweep does it. */
export async function terminateUpload(address: string, options: UploadOptions): Promise<void> {
  const unbound = { ...options, signal: new AbortController().signal }
  const headers = { 'tus-resumable': TUS_VERSION }
  await withRetry(unbound, () => ask(unbound, { method: 'DELETE', address, headers })).catch(() => undefined)
}

/** @returns false where so much does not pass at once */
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
      // The name is taken by the file itself, which had arrived when the line was cut.
      if (wasSent && isAppError(error, 'already-exists') && (await options.isUploaded?.({ path, file })) === true) return true
      throw error
    }
  })
}

/** Sends small files in one request. @returns for each null, or why it is not there */
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
  // The server's code list and ours are the same file.
  return parsed.failures.map((failure) => failure && new AppError(failure.code, failure.detail as ErrorDetails[ErrorCode]))
}

/** Until there is an answer, nobody knows of any of them whether it has arrived. */
async function markUncertain<T>(files: readonly File[], work: () => Promise<T>): Promise<T> {
  for (const file of files) uncertain.add(file)
  const answer = await work()
  for (const file of files) uncertain.delete(file)
  return answer
}

/** Whether it is something that the server said. */
function isAnswer(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'offline' && error.code !== 'unexpected'
}

type SendBody = (outgoing: Omit<Outgoing, 'signal'> & { readonly body: Blob }) => Promise<Incoming | null>

/** A line that is cut once is bad luck; cut again before much has left, something on the way may hang up on what is too large for it. */
const MOST_CUTS = 2
/** So much may wait in the buffers of a connection whose other end never took it. */
const BUFFERED_BYTES = 1024 * 1024

/** For one upload. Answers null for a body that did not pass and was too large, as far as one can tell; the limit is lower then. */
function createSender(options: UploadOptions): SendBody {
  let cuts = 0
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
      return answer
    } catch (error) {
      if (error instanceof BodyRefused) {
        if (options.limit.refuse(size)) return null
        throw error.otherwise
      }
      if (!isAppError(error, 'offline')) throw error
      cuts = left <= Math.max(BUFFERED_BYTES, size / 2) ? cuts + 1 : 0
      if (cuts < MOST_CUTS || !options.limit.refuse(size)) throw error
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
    // A browser tells a file that has gone or changed from a line that dropped only when it is read.
    if (isAppError(error, 'offline') && outgoing.body !== undefined && !(await isReadable(outgoing.body))) fail('not-found', {})
    const fresh = options.headers()
    // The token may have been renewed while this was on its way.
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

/** tus metadata: by it the server knows the same file again. @param signed what else there is to say of it */
export function uploadMetadata(file: File, signed: Readonly<Record<string, string>> = {}): string {
  const encode = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
  const all = { filename: file.name, lastmodified: String(file.lastModified), ...signed }
  return Object.entries(all)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key} ${encode(text)}`)
    .join()
}
