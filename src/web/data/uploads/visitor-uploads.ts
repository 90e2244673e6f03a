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

/** How a sender signs; both may be empty. */
export interface Sender {
  readonly sender: string
  readonly note: string
}

/** What a visitor sends through a link. */
interface VisitorUpload extends UploadItem {
  /** With it the same upload goes on after a broken line. */
  readonly secret: string
  readonly signed: Sender
}

/** For each link what goes through it or did, since the page was opened. */
const queues = new Map<string, UploadQueue<VisitorUpload>>()

/** Closing the tab with files on their way asks first. */
addEventListener('beforeunload', (event) => {
  const all = [...queues.values()].flatMap(({ store }) => store.getState().uploads)
  if (all.some(({ state }) => isOpen(state))) event.preventDefault()
})

/** Sends files into a folder behind a link. */
export function uploadAsVisitor(files: readonly File[], to: { hash: string; folder: FilePath; signed: Sender }): void {
  const jobs = files.map((file): VisitorUpload => {
    return { path: joinPath(to.folder, file.name.toWellFormed()), file, secret: newUploadId(), signed: to.signed }
  })
  queueOf(to.hash).enqueue(jobs.map((job) => ({ job, decided: null })))
}

/** Goes on with one that failed. */
export function retryVisitorUpload(hash: string, id: number): void {
  queueOf(hash).retry(id)
}

/** Takes one off the list; what the server has of it is thrown away. */
export function cancelVisitorUpload(hash: string, id: number): void {
  const { cancel, remove } = queueOf(hash)
  cancel(id)
  remove(id)
}

/** Takes what has arrived off the list. */
export function clearVisitorUploads(hash: string): void {
  queueOf(hash).clear()
}

/** What goes through one link, without what was taken back. */
export function useVisitorUploads(hash: string): readonly Upload[] {
  const uploads = useStore(queueOf(hash).store, (state) => state.uploads)
  return useMemo(() => uploads.filter(({ state }) => state !== 'cancelled'), [uploads])
}

function queueOf(hash: string): UploadQueue<VisitorUpload> {
  const known = queues.get(hash)
  if (known !== undefined) return known
  const made = createUploadQueue<VisitorUpload>({
    run: (upload, control) => runUpload(hash, upload, control),
    // Should the word not arrive, the server's own sweep does it.
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
    // Said again after a failure, it is the same upload, and goes on.
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
