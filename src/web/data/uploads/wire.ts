import { href } from '../../../shared/contract/endpoint.ts'
import { api } from '../../../shared/contract/index.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../../shared/contract/tus.ts'
import { MTIME_HEADER } from '../../../shared/contract/resources.ts'
import { fail, isAppError } from '../../../shared/errors.ts'
import { SINGLE_POST_BYTES } from '../../../shared/limits.ts'
import { patiently, type Patience } from './patience.ts'
import type { Job } from './send.ts'
import { type Incoming, type Outgoing, PAUSED, sendXhr } from './xhr.ts'

export interface WireOptions extends Patience {
  /** The base URL, without trailing slash. */
  readonly base: string
  /** Asked anew for every request: a token may have been renewed meanwhile. */
  readonly headers: () => Record<string, string>
  /** Bytes of one PATCH at most: what proxies in front may allow. */
  readonly chunkBytes: number
  /** Bytes of the file that have left so far. */
  readonly onProgress: (sent: number) => void
  readonly request?: (outgoing: Outgoing) => Promise<Incoming>
}

/** Reserves the place of a large file by tus; a small one needs no reservation, its one POST refuses a taken name. */
export async function begin({ path, file }: Job, { override }: { override: boolean }, options: WireOptions): Promise<void> {
  if (file.size <= SINGLE_POST_BYTES) return
  const address = options.base + href(api.tus.create, { params: { path }, query: override ? { override: 'true' } : {} })
  await announce(address, { file, stamp: stampOf(file) }, options)
}

/** Tells the server of a file that will come to an address by tus. */
export async function announce(address: string, { file, stamp }: { file: File; stamp: string }, options: WireOptions): Promise<void> {
  const headers = { 'tus-resumable': TUS_VERSION, 'upload-length': String(file.size), 'upload-metadata': stamp }
  await patiently(options, () => ask(options, { method: 'POST', address, headers }))
}

/** Sends the bytes: up to 8 MiB as one POST, more by tus from where the server has got to (decision 23). */
export async function transfer(job: Job, { override }: { override: boolean }, options: WireOptions): Promise<void> {
  if (job.file.size <= SINGLE_POST_BYTES) return post(job, override, options)
  const address = options.base + href(api.tus.append, { params: { path: job.path } })
  try {
    await appendAll(address, job.file, options).catch(async (error: unknown) => {
      if (!isAppError(error, 'not-found')) throw error
      // Slept for longer than the server remembers.
      await begin(job, { override }, options)
      await appendAll(address, job.file, options)
    })
  } catch (error) {
    if (options.signal.aborted && options.signal.reason !== PAUSED) void giveUp(address, options)
    throw error
  }
  options.onProgress(job.file.size)
}

/** Sends a file that was announced, from where the server has got to. */
export async function appendAll(address: string, file: File, options: WireOptions): Promise<void> {
  let reached = 0
  await patiently(options, async (progressed) => {
    let offset = await offsetOf(address, options)
    // Also what came before the line dropped is progress.
    if (offset > reached) progressed()
    for (; offset < file.size; progressed()) {
      reached = offset
      options.onProgress(offset)
      const from = offset
      const answer = await ask(options, {
        method: 'PATCH',
        address,
        headers: { 'tus-resumable': TUS_VERSION, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE },
        body: file.slice(from, from + options.chunkBytes),
        onProgress: (sent) => options.onProgress(from + sent),
      })
      offset = Number(answer.header('upload-offset'))
      reached = offset
    }
  })
}

/** What was sent of a cancelled upload is thrown away; should the word not arrive, the server's own sweep does it. */
export async function giveUp(address: string, options: WireOptions): Promise<void> {
  const unbound = { ...options, signal: new AbortController().signal }
  const headers = { 'tus-resumable': TUS_VERSION }
  await patiently(unbound, () => ask(unbound, { method: 'DELETE', address, headers })).catch(() => undefined)
}

async function post({ path, file }: Job, override: boolean, options: WireOptions): Promise<void> {
  const address = options.base + href(api.resources.upload, { params: { path }, query: { override: String(override) } })
  await patiently(options, () => {
    options.onProgress(0)
    const headers = { [MTIME_HEADER]: (file.lastModified / 1000).toFixed(3) }
    return ask(options, { method: 'POST', address, headers, body: file, onProgress: options.onProgress })
  })
}

async function offsetOf(address: string, options: WireOptions): Promise<number> {
  const answer = await ask(options, { method: 'HEAD', address, headers: { 'tus-resumable': TUS_VERSION } })
  return Number(answer.header('upload-offset'))
}

async function ask(options: WireOptions, outgoing: Omit<Outgoing, 'signal'>): Promise<Incoming> {
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
export function stampOf(file: File, signed: Readonly<Record<string, string>> = {}): string {
  const encode = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
  const all = { filename: file.name, lastmodified: String(file.lastModified), ...signed }
  return Object.entries(all)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key} ${encode(text)}`)
    .join()
}
