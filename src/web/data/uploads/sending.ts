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
import type { Job } from './send.ts'
import { announce, appendAll, giveUp, newUploadName, stampOf, type WireOptions } from './wire.ts'
import { isAbort } from './xhr.ts'

/** How a sender signs; both may be empty. */
export interface Signed {
  readonly sender: string
  readonly note: string
}

/** What a visitor sends through a link. */
interface Parcel extends Job {
  /** With it the same upload goes on after a broken line. */
  readonly secret: string
  readonly signed: Signed
}

/** For each link what goes through it or did, since the page was opened. */
const queues = new Map<string, UploadQueue<Parcel>>()

/** Closing the tab with files on their way asks first. */
addEventListener('beforeunload', (event) => {
  const all = [...queues.values()].flatMap(({ store }) => store.getState().uploads)
  if (all.some(({ state }) => isOpen(state))) event.preventDefault()
})

/** Sends files into a folder behind a link. */
export function sendFiles(files: readonly File[], to: { hash: string; folder: FilePath; signed: Signed }): void {
  const jobs = files.map((file): Parcel => {
    return { path: joinPath(to.folder, file.name.toWellFormed()), file, secret: newUploadName(), signed: to.signed }
  })
  queueOf(to.hash).enqueue(jobs.map((job) => ({ job, decided: null })))
}

/** Goes on with one that failed. */
export function retrySending(hash: string, id: number): void {
  queueOf(hash).retry(id)
}

/** Takes one off the list; what the server has of it is thrown away. */
export function cancelSending(hash: string, id: number): void {
  const { cancel, remove } = queueOf(hash)
  cancel(id)
  remove(id)
}

/** Takes what has arrived off the list. */
export function clearSent(hash: string): void {
  queueOf(hash).clear()
}

/** What goes through one link, without what was taken back. */
export function useSendings(hash: string): readonly Upload[] {
  const uploads = useStore(queueOf(hash).store, (state) => state.uploads)
  return useMemo(() => uploads.filter(({ state }) => state !== 'cancelled'), [uploads])
}

function queueOf(hash: string): UploadQueue<Parcel> {
  const known = queues.get(hash)
  if (known !== undefined) return known
  const made = createUploadQueue<Parcel>({
    run: (parcel, control) => carry(hash, parcel, control),
    // Should the word not arrive, the server's own sweep does it.
    discard: (parcel) =>
      void giveUp(placeOf(hash, parcel), wireOf(hash, { signal: new AbortController().signal, onProgress: () => {}, onAway: () => {} })),
    onIdle: () => undefined,
  })
  queues.set(hash, made)
  return made
}

async function carry(hash: string, parcel: Parcel, control: Parameters<Run>[1]): Promise<'sent'> {
  const { file, signed } = parcel
  const place = placeOf(hash, parcel)
  const options = wireOf(hash, control)
  try {
    // Said again after a failure, it is the same upload, and goes on.
    await announce(place, { file, stamp: stampOf(file, { ...signed }) }, options)
    await appendAll(place, file, options)
    return 'sent'
  } catch (error) {
    if (isAbort(error)) void giveUp(place, options)
    throw error
  }
}

function placeOf(hash: string, { secret, path }: Parcel): string {
  return address(href(sent.create, { params: { hash, upload: secret, path } }))
}

function wireOf(hash: string, { signal, onProgress, onAway }: Pick<WireOptions, 'signal' | 'onProgress' | 'onAway'>): WireOptions {
  return {
    base: pageConfig.BaseURL,
    headers: () => visitorHeaders(hash),
    chunkBytes: pageConfig.TusSettings.chunkSize,
    retries: pageConfig.TusSettings.retryCount,
    signal,
    limit: bodyLimit,
    onProgress,
    onAway,
  }
}
