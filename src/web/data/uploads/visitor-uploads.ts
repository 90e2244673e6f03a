import { useMemo } from 'react'
import { useStore } from 'zustand'
import { href } from '../../../shared/contract/endpoint.ts'
import { sent } from '../../../shared/contract/public.ts'
import { joinPath, type FilePath } from '../../../shared/file-path.ts'
import { address } from '../client.ts'
import { pageConfig } from '../page-config.ts'
import { visitorHeaders } from '../shared-resource.ts'
import { bodyLimit } from './body-limit.ts'
import { createUploadQueue, isOpen, type Run, type Upload, type UploadQueue } from './queue.ts'
import type { UploadItem } from './send.ts'
import { createUpload, patchFile, terminateUpload, newUploadId, uploadMetadata, type UploadOptions } from './tus-upload.ts'
import { isAbort } from './xhr.ts'

/** Name and note of the sender; both may be empty. */
export interface Sender {
  readonly sender: string
  readonly note: string
}

/** A file that a visitor uploads through a link. */
interface VisitorUpload extends UploadItem {
  /** Identifies the upload, so that it can be resumed. */
  readonly secret: string
  readonly signed: Sender
}

/** One queue per link, for the lifetime of the page. */
const queues = new Map<string, UploadQueue<VisitorUpload>>()

/** Warn before closing the tab with open uploads. */
addEventListener('beforeunload', (event) => {
  const all = [...queues.values()].flatMap(({ store }) => store.getState().uploads)
  if (all.some(({ state }) => isOpen(state))) event.preventDefault()
})

/** Uploads files into a shared folder. */
export function uploadAsVisitor(files: readonly File[], to: { hash: string; folder: FilePath; signed: Sender }): void {
  const jobs = files.map((file): VisitorUpload => {
    return { path: joinPath(to.folder, file.name.toWellFormed()), file, secret: newUploadId(), signed: to.signed }
  })
  queueOf(to.hash).enqueue(jobs.map((job) => ({ job, decided: null })))
}

/** Retries a failed upload. */
export function retryVisitorUpload(hash: string, id: number): void {
  queueOf(hash).retry(id)
}

/** Cancels an upload and deletes its data on the server. */
export function cancelVisitorUpload(hash: string, id: number): void {
  const { cancel, remove } = queueOf(hash)
  cancel(id)
  remove(id)
}

/** Removes finished uploads from the list. */
export function clearVisitorUploads(hash: string): void {
  queueOf(hash).clear()
}

/** Uploads through a link, without cancelled ones. */
export function useVisitorUploads(hash: string): readonly Upload[] {
  const uploads = useStore(queueOf(hash).store, (state) => state.uploads)
  return useMemo(() => uploads.filter(({ state }) => state !== 'cancelled'), [uploads])
}

function queueOf(hash: string): UploadQueue<VisitorUpload> {
  const known = queues.get(hash)
  if (known !== undefined) return known
  const made = createUploadQueue<VisitorUpload>({
    run: (upload, control) => runUpload(hash, upload, control),
    // If the request fails, the server's cleanup deletes it.
    discard: (upload) =>
      void terminateUpload(
        addressOf(hash, upload),
        optionsFor(hash, { signal: new AbortController().signal, onProgress: () => {}, onOffline: () => {} }),
      ),
    onIdle: () => undefined,
  })
  queues.set(hash, made)
  return made
}

async function runUpload(hash: string, upload: VisitorUpload, control: Parameters<Run>[1]): Promise<'sent'> {
  const { file, signed } = upload
  const place = addressOf(hash, upload)
  const options = optionsFor(hash, control)
  try {
    // Repeated after a failure, this finds the same upload and resumes it.
    await createUpload(place, { file, stamp: uploadMetadata(file, { ...signed }) }, options)
    await patchFile(place, file, options)
    return 'sent'
  } catch (error) {
    if (isAbort(error)) void terminateUpload(place, options)
    throw error
  }
}

function addressOf(hash: string, { secret, path }: VisitorUpload): string {
  return address(href(sent.create, { params: { hash, upload: secret, path } }))
}

function optionsFor(
  hash: string,
  { signal, onProgress, onOffline }: Pick<UploadOptions, 'signal' | 'onProgress' | 'onOffline'>,
): UploadOptions {
  return {
    base: pageConfig.BaseURL,
    headers: () => visitorHeaders(hash),
    chunkBytes: pageConfig.TusSettings.chunkSize,
    retries: pageConfig.TusSettings.retryCount,
    signal,
    limit: bodyLimit,
    onProgress,
    onOffline,
  }
}
