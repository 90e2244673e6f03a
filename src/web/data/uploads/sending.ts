import { useMemo } from 'react'
import { create } from 'zustand'
import { sent } from '../../../shared/contract/public.ts'
import { href } from '../../../shared/contract/endpoint.ts'
import { joinPath, type FilePath } from '../../../shared/file-path.ts'
import { address } from '../client.ts'
import { pageConfig } from '../page-config.ts'
import { visitorHeaders } from '../visit.ts'
import { createBodyLimit, tabKeeper } from './body-limit.ts'
import { announce, appendAll, giveUp, stampOf, type WireOptions } from './wire.ts'
import { isAbort } from './xhr.ts'

/** What a visitor sends through a link. */
export interface Sending {
  readonly id: string
  /** Of the link. */
  readonly hash: string
  readonly name: string
  readonly size: number
  readonly state: 'waiting' | 'active' | 'done' | 'failed'
  /** Bytes that have left. */
  readonly sent: number
  readonly error: unknown
  /** The server cannot be reached at the moment. */
  readonly away: boolean
}

/** How a sender signs; both may be empty. */
export interface Signed {
  readonly sender: string
  readonly note: string
}

interface Parcel {
  readonly hash: string
  readonly path: FilePath
  readonly file: File
  readonly signed: Signed
  readonly stop: AbortController
}

/** At once; more only take each other's line. */
const SLOTS = 3

/** Everything that is on its way or was, since the page was opened. */
const useStore = create<{ all: readonly Sending[] }>(() => ({ all: [] }))

const limit = createBodyLimit(tabKeeper(globalThis.sessionStorage, 'satchel-body-limit'))
const parcels = new Map<string, Parcel>()

/** Sends files into a folder behind a link; an id of each is the secret with which it is gone on with after a broken line. */
export function sendFiles(files: readonly File[], to: { hash: string; folder: FilePath; signed: Signed }): void {
  const added = files.map((file): Sending => {
    const id = newSecret()
    parcels.set(id, {
      hash: to.hash,
      path: joinPath(to.folder, file.name.toWellFormed()),
      file,
      signed: to.signed,
      stop: new AbortController(),
    })
    return { id, hash: to.hash, name: file.name, size: file.size, state: 'waiting', sent: 0, error: null, away: false }
  })
  useStore.setState(({ all }) => ({ all: [...all, ...added] }))
  startNext()
}

/** Goes on with one that failed. */
export function retrySending(id: string): void {
  change(id, { state: 'waiting', error: null })
  startNext()
}

/** Takes one off the list; what the server has of it is thrown away. */
export function cancelSending(id: string): void {
  const parcel = parcels.get(id)
  parcel?.stop.abort()
  parcels.delete(id)
  useStore.setState(({ all }) => ({ all: all.filter((one) => one.id !== id) }))
  startNext()
}

/** Takes what has arrived off the list. */
export function clearSent(): void {
  useStore.setState(({ all }) => ({ all: all.filter(({ state }) => state !== 'done') }))
}

/** What goes through one link. */
export function useSendings(hash: string): readonly Sending[] {
  const all = useStore((state) => state.all)
  return useMemo(() => all.filter((one) => one.hash === hash), [all, hash])
}

function startNext(): void {
  const { all } = useStore.getState()
  const free = SLOTS - all.filter(({ state }) => state === 'active').length
  for (const { id } of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void run(id)
}

async function run(id: string): Promise<void> {
  const parcel = parcels.get(id)
  if (parcel === undefined) return
  const { hash, path, file, signed, stop } = parcel
  const place = address(href(sent.create, { params: { hash, upload: id, path } }))
  const options: WireOptions = {
    base: pageConfig.BaseURL,
    headers: () => visitorHeaders(hash),
    chunkBytes: pageConfig.TusSettings.chunkSize,
    retries: pageConfig.TusSettings.retryCount,
    signal: stop.signal,
    limit,
    onProgress: (bytes) => change(id, { sent: bytes }),
    onAway: (away) => change(id, { away }),
  }
  change(id, { state: 'active' })
  try {
    // Said again after a failure, it is the same upload, and goes on.
    await announce(place, { file, stamp: stampOf(file, { ...signed }) }, options)
    await appendAll(place, file, options)
    parcels.delete(id)
    change(id, { state: 'done', sent: file.size })
  } catch (error) {
    if (isAbort(error)) return void giveUp(place, options)
    change(id, { state: 'failed', error })
  } finally {
    startNext()
  }
}

/** Also where the page came over plain http, and browsers make no UUIDs. */
function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function change(id: string, fields: Partial<Sending>): void {
  useStore.setState(({ all }) => ({ all: all.map((one) => (one.id === id ? { ...one, ...fields } : one)) }))
}
