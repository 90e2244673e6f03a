import { createStore, type StoreApi } from 'zustand/vanilla'
import { AppError, isAppError } from '../../../shared/errors.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { PROGRESS_EVERY_MS, UPLOAD_SLOTS } from '../../../shared/limits.ts'
import type { BulkSlot } from './bulk.ts'
import type { ConflictAnswer, UploadItem } from './send.ts'
import { createSpeed } from './speed.ts'
import { isAbort, PAUSED } from './xhr.ts'

export type UploadState = 'waiting' | 'active' | 'paused' | 'done' | 'skipped' | 'failed' | 'cancelled'

export interface Upload {
  readonly id: number
  readonly path: FilePath
  /** The gesture that it belongs to; null for visitors. */
  readonly operation: string | null
  /** Bytes. */
  readonly size: number
  readonly sent: number
  readonly state: UploadState
  readonly error: AppError | null
  /** Active, but the server is unreachable. */
  readonly offline: boolean
}

export interface QueueState {
  readonly uploads: readonly Upload[]
  /** Bytes per second; 0 when idle. */
  readonly speed: number
  /** Estimated seconds left; null while unknown. */
  readonly remaining: number | null
}

/** Uploads one item; the queue decides when, and keeps its state. */
export type Run<One extends UploadItem = UploadItem> = (
  job: One,
  options: {
    decided: ConflictAnswer | null
    signal: AbortSignal
    onProgress: (sent: number) => void
    onOffline: (offline: boolean) => void
    /** Its slot in a bulk request; null if it is sent alone. */
    slot: BulkSlot | null
  },
) => Promise<'sent' | 'skipped'>

export interface QueueOptions<One extends UploadItem = UploadItem> {
  readonly run: Run<One>
  /** Called when nothing is waiting or active, with the items that finished since the last call. */
  readonly onIdle: (uploads: readonly Upload[]) => void
  /** A paused upload was cancelled: the server can delete its data. */
  readonly discard: (job: One) => void
  /** How many items from the head of the queue share a request, and their slots; by default each is sent alone. */
  readonly batch?: (line: Iterable<One>, waiting: number) => { count: number; slot(): BulkSlot } | null
  readonly now?: () => number
}

export interface UploadQueue<One extends UploadItem = UploadItem> {
  readonly store: StoreApi<QueueState>
  enqueue(jobs: readonly { job: One; decided: ConflictAnswer | null }[]): void
  cancel(id: number): void
  cancelAll(): void
  retry(id: number): void
  /** Retries failed and cancelled uploads. */
  retryAll(): void
  /** Pauses until `resume`; frees the slot. */
  pause(id: number): void
  pauseAll(): void
  resume(id: number): void
  resumeAll(): void
  /** Moves a waiting upload to a position in the queue. @returns its position; null if it is not waiting */
  move(id: number, to: number): { at: number; of: number } | null
  /** Starts nothing and puts active uploads back into the queue, to resume at the server's offset; used when the session has expired. */
  suspend(): void
  unsuspend(): void
  /** Removes finished uploads from the list. */
  clear(): void
  /** Removes a finished upload from the list; the server can delete the data of a failed one. */
  remove(id: number): void
}

interface Work<One> {
  readonly job: One
  readonly decided: ConflictAnswer | null
  readonly control: AbortController
}

/** Upload queue of this tab: five at a time; changes are published at most every 100 ms. */
export function createUploadQueue<One extends UploadItem = UploadItem>(options: QueueOptions<One>): UploadQueue<One> {
  const { run, onIdle, discard, batch, now = () => performance.now() } = options
  const store = createStore<QueueState>(() => ({ uploads: [], speed: 0, remaining: null }))
  // In queue order; a Map, so that one change does not copy 10,000 items.
  const uploads = new Map<number, Upload>()
  const work = new Map<number, Work<One>>()
  const speed = createSpeed(now)
  const round = new Set<number>()
  let line: number[] = []
  let active = 0
  let held = false
  // Active, but asked to stop.
  const stopping = new Map<number, 'pause' | 'cancel'>()
  let nextId = 1
  let toldAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  function change(id: number, fields: Partial<Upload>): void {
    const upload = uploads.get(id)
    if (upload !== undefined) uploads.set(id, { ...upload, ...fields })
    tellSoon()
  }

  function tellSoon(): void {
    if (now() - toldAt >= PROGRESS_EVERY_MS) return tell()
    timer ??= setTimeout(tell, PROGRESS_EVERY_MS)
  }

  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    toldAt = now()
    const all = [...uploads.values()]
    const left = all.reduce((sum, { state, size, sent }) => (isMoving(state) ? sum + size - sent : sum), 0)
    const isSending = all.some(({ state, offline }) => state === 'active' && !offline)
    const rate = isSending ? speed.perSecond() : 0
    store.setState({ uploads: all, speed: rate, remaining: rate > 0 ? left / rate : null })
  }

  function fill(): void {
    if (held) return
    while (active < UPLOAD_SLOTS && line.length > 0) {
      const group = batch?.({ [Symbol.iterator]: itemsInLine }, line.length) ?? null
      void runUploads(line.splice(0, group?.count ?? 1), group)
    }
  }

  function* itemsInLine(): Iterator<One> {
    for (const id of line) {
      const item = work.get(id)
      if (item !== undefined) yield item.job
    }
  }

  async function runUploads(ids: readonly number[], group: { slot(): BulkSlot } | null): Promise<void> {
    active += 1
    await Promise.all(ids.map((id) => runUpload(id, group?.slot() ?? null)))
    active -= 1
    fill()
    finishIfIdle()
  }

  async function runUpload(id: number, slot: BulkSlot | null): Promise<void> {
    const item = work.get(id)
    if (item === undefined) return slot?.leave()
    round.add(id)
    change(id, { state: 'active', error: null })
    const after = await resultOf(id, item, slot).finally(() => slot?.leave())
    const wish = stopping.get(id)
    stopping.delete(id)
    if (after.state !== 'waiting') return change(id, { ...after, offline: false })
    if (wish === undefined) wait([id, ...line])
    change(id, { state: wish === 'pause' ? 'paused' : 'waiting', offline: false })
    // Cancelled after it was told to pause or to wait for a new session.
    if (wish === 'cancel') giveUp(id)
  }

  async function resultOf(id: number, { job, decided, control: { signal } }: Work<One>, slot: BulkSlot | null): Promise<Partial<Upload>> {
    try {
      const outcome = await run(job, {
        decided,
        signal,
        slot,
        onProgress: (sent) => note(id, sent),
        onOffline: (offline) => change(id, { offline }),
      })
      return outcome === 'sent' ? { state: 'done', sent: job.file.size } : { state: 'skipped' }
    } catch (error) {
      if (isAppError(error, 'sign-in-needed')) held = true
      else if (!isAbort(error)) return { state: 'failed', error: asAppError(error) }
      else if (signal.reason !== PAUSED) return { state: 'cancelled' }
      work.set(id, { job, decided, control: new AbortController() })
      return { state: 'waiting' }
    }
  }

  function note(id: number, sent: number): void {
    const before = uploads.get(id)
    if (before === undefined) return
    speed.moved(Math.max(0, sent - before.sent))
    change(id, { sent })
  }

  function wait(ids: number[]): void {
    const waiting = new Set(ids)
    line = [...uploads.keys()].filter((id) => waiting.has(id))
  }

  function finishIfIdle(): void {
    if (active > 0 || line.length > 0) return
    speed.reset()
    tell()
    const ended = [...uploads.values()].filter(({ id, state }) => round.has(id) && !isOpen(state))
    for (const { id } of ended) round.delete(id)
    if (ended.length > 0) onIdle(ended)
  }

  function cancel(id: number): void {
    const upload = uploads.get(id)
    if (upload === undefined || !isOpen(upload.state)) return
    if (upload.state === 'active') stopping.set(id, 'cancel')
    work.get(id)?.control.abort()
    if (upload.state === 'active') return
    line = line.filter((one) => one !== id)
    giveUp(id)
    finishIfIdle()
  }

  /** A paused upload was cancelled: discard what the server has. */
  function giveUp(id: number): void {
    const item = work.get(id)
    if (item !== undefined && (uploads.get(id)?.sent ?? 0) > 0) discard(item.job)
    change(id, { state: 'cancelled' })
  }

  function pause(ids: readonly number[]): void {
    const chosen = new Set(ids)
    line = line.filter((id) => !chosen.has(id))
    for (const id of ids) {
      if (uploads.get(id)?.state === 'waiting') change(id, { state: 'paused' })
      else if (!stopping.has(id)) stopping.set(id, 'pause')
    }
    for (const id of ids) if (stopping.has(id)) work.get(id)?.control.abort(PAUSED)
    tell()
    finishIfIdle()
  }

  function resume(ids: readonly number[]): void {
    for (const id of ids) change(id, { state: 'waiting' })
    wait([...line, ...ids])
    fill()
    tell()
  }

  /** Waiting uploads keep their positions among the others, in the new order. */
  function place(order: readonly number[]): void {
    const waiting = new Set(order)
    const next = order.values()
    const ids = [...uploads.keys()].map((id) => (waiting.has(id) ? (next.next().value ?? id) : id))
    for (const id of ids) {
      const upload = uploads.get(id)
      if (upload === undefined) continue
      uploads.delete(id)
      uploads.set(id, upload)
    }
    line = [...order]
  }

  function retry(ids: readonly number[]): void {
    for (const id of ids) {
      const item = work.get(id)
      if (item === undefined) continue
      work.set(id, { ...item, control: new AbortController() })
      change(id, { state: 'waiting', error: null, sent: 0 })
    }
    wait([...line, ...ids])
    fill()
    tell()
  }

  function forget(id: number): void {
    uploads.delete(id)
    work.delete(id)
  }

  function idsOf(wanted: (state: UploadState) => boolean): number[] {
    return [...uploads.values()].filter(({ state }) => wanted(state)).map(({ id }) => id)
  }

  return {
    store,
    enqueue(jobs) {
      for (const { job, decided } of jobs) {
        const id = nextId++
        work.set(id, { job, decided, control: new AbortController() })
        const { path, file, operation = null } = job
        uploads.set(id, { id, path, operation, size: file.size, sent: 0, state: 'waiting', error: null, offline: false })
        line.push(id)
      }
      fill()
      tell()
    },
    cancel,
    cancelAll() {
      // Waiting ones first, so that no freed slot is refilled.
      const waiting = line
      line = []
      for (const id of waiting) giveUp(id)
      for (const id of idsOf((state) => state === 'paused' || state === 'active')) cancel(id)
      tell()
      if (waiting.length > 0) finishIfIdle()
    },
    retry: (id) => retry(idsOf(hasStopped).filter((one) => one === id)),
    retryAll: () => retry(idsOf(hasStopped)),
    pause: (id) => pause(idsOf(isMoving).filter((one) => one === id)),
    pauseAll: () => pause(idsOf(isMoving)),
    resume: (id) => resume(idsOf((state) => state === 'paused').filter((one) => one === id)),
    resumeAll: () => resume(idsOf((state) => state === 'paused')),
    move(id, to) {
      const from = line.indexOf(id)
      if (from < 0) return null
      const at = Math.max(0, Math.min(to, line.length - 1))
      place(line.toSpliced(from, 1).toSpliced(at, 0, id))
      tell()
      return { at, of: line.length }
    },
    suspend() {
      held = true
      for (const id of idsOf((state) => state === 'active')) work.get(id)?.control.abort(PAUSED)
    },
    unsuspend() {
      held = false
      fill()
    },
    clear() {
      for (const id of idsOf((state) => !isOpen(state))) forget(id)
      tell()
    },
    remove(id) {
      const upload = uploads.get(id)
      if (upload === undefined || isOpen(upload.state)) return
      const item = work.get(id)
      if (upload.state === 'failed' && item !== undefined) discard(item.job)
      forget(id)
      tell()
    },
  }
}

/** Failed or cancelled; can be retried. */
export function hasStopped(state: UploadState): boolean {
  return state === 'failed' || state === 'cancelled'
}

/** Neither finished nor cancelled: closing the page would lose it. */
export function isOpen(state: UploadState): boolean {
  return isMoving(state) || state === 'paused'
}

/** Active, or will be without user action. */
export function isMoving(state: UploadState): boolean {
  return state === 'waiting' || state === 'active'
}

function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('unexpected', { incident: 'upload' }, { cause: error })
}
