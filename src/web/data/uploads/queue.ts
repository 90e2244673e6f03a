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
  /** Bytes. */
  readonly size: number
  readonly sent: number
  readonly state: UploadState
  readonly error: AppError | null
  /** Under way, but the server cannot be reached just now. */
  readonly offline: boolean
}

export interface QueueState {
  readonly uploads: readonly Upload[]
  /** Bytes a second over the last seconds; 0 when nothing moves. */
  readonly speed: number
  /** Seconds that are left at that speed; null while nobody can say. */
  readonly remaining: number | null
}

/** Carries out one job; the queue decides only when, and what its state is. */
export type Run<One extends UploadItem = UploadItem> = (
  job: One,
  options: {
    decided: ConflictAnswer | null
    signal: AbortSignal
    onProgress: (sent: number) => void
    onOffline: (offline: boolean) => void
    /** Among those with whom it shares a slot; null for one that has a slot to itself. */
    slot: BulkSlot | null
  },
) => Promise<'sent' | 'skipped'>

export interface QueueOptions<One extends UploadItem = UploadItem> {
  readonly run: Run<One>
  /** Called when nothing waits or runs any more, with what became of all that has run since the last time. */
  readonly onIdle: (uploads: readonly Upload[]) => void
  /** An upload was given up while it rested: what the server has of it is nobody's now. */
  readonly discard: (job: One) => void
  /** How many of those first in line share a slot, and what they meet in; each has a slot to itself where it is not said. */
  readonly batch?: (line: Iterable<One>, waiting: number) => { count: number; slot(): BulkSlot } | null
  readonly now?: () => number
}

export interface UploadQueue<One extends UploadItem = UploadItem> {
  readonly store: StoreApi<QueueState>
  enqueue(jobs: readonly { job: One; decided: ConflictAnswer | null }[]): void
  cancel(id: number): void
  cancelAll(): void
  retry(id: number): void
  /** What failed or was cancelled, once more. */
  retryAll(): void
  /** Stops where it is, until `resume`; the slot is another's. */
  pause(id: number): void
  pauseAll(): void
  resume(id: number): void
  resumeAll(): void
  /** Puts one that waits at another place in the line, from 0 to its end. @returns where it is now; null for one that does not wait */
  move(id: number, to: number): { at: number; of: number } | null
  /** Starts nothing and puts what runs back into line, to go on where the server has got to; so does an upload that finds the session ended. */
  suspend(): void
  unsuspend(): void
  /** Takes what has ended out of the list. */
  clear(): void
  /** Takes one that has ended out of the list; of one that failed, the server may forget what it has. */
  remove(id: number): void
}

interface Work<One> {
  readonly job: One
  readonly decided: ConflictAnswer | null
  readonly control: AbortController
}

/** Uploads of this tab: five at a time, the rest in line; what changes is told at most every 100 ms. */
export function createUploadQueue<One extends UploadItem = UploadItem>(options: QueueOptions<One>): UploadQueue<One> {
  const { run, onIdle, discard, batch, now = () => performance.now() } = options
  const store = createStore<QueueState>(() => ({ uploads: [], speed: 0, remaining: null }))
  // In their turn: as they came, or as somebody wanted; a change of one costs nothing for the ten thousand others.
  const uploads = new Map<number, Upload>()
  const work = new Map<number, Work<One>>()
  const speed = createSpeed(now)
  const round = new Set<number>()
  let line: number[] = []
  let active = 0
  let held = false
  // Under way still, but told to pause.
  const pausing = new Set<number>()
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
    const rate = active === 0 ? 0 : speed.perSecond()
    store.setState({ uploads: all, speed: rate, remaining: rate > 0 ? left / rate : null })
  }

  function fill(): void {
    if (held) return
    while (active < UPLOAD_SLOTS && line.length > 0) {
      const group = batch?.(itemsInLine(), line.length) ?? null
      void runUploads(line.splice(0, group?.count ?? 1), group)
    }
  }

  function* itemsInLine(): Iterable<One> {
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
    const parks = pausing.delete(id) && after.state === 'waiting'
    if (after.state === 'waiting' && !parks) wait([id, ...line])
    change(id, { ...after, ...(parks && { state: 'paused' }), offline: false })
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
    pausing.delete(id)
    const item = work.get(id)
    item?.control.abort()
    if (upload.state === 'active') return
    line = line.filter((one) => one !== id)
    giveUp(id)
    finishIfIdle()
  }

  /** One that rests: what the server has of it is of no use to anybody. */
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
      else pausing.add(id)
    }
    for (const id of ids) if (pausing.has(id)) work.get(id)?.control.abort(PAUSED)
    tell()
    finishIfIdle()
  }

  function resume(ids: readonly number[]): void {
    for (const id of ids) change(id, { state: 'waiting' })
    wait([...line, ...ids])
    fill()
    tell()
  }

  /** The places that the waiting have among all are theirs in the new order. */
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
        uploads.set(id, { id, path: job.path, size: job.file.size, sent: 0, state: 'waiting', error: null, offline: false })
        line.push(id)
      }
      fill()
      tell()
    },
    cancel,
    cancelAll() {
      // Those in line first, so that no slot that comes free is filled again.
      const waiting = line
      line = []
      for (const id of waiting) giveUp(id)
      for (const id of idsOf((state) => state === 'paused')) cancel(id)
      for (const id of idsOf((state) => state === 'active')) work.get(id)?.control.abort()
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

/** Ended without having arrived, and may be tried again. */
export function hasStopped(state: UploadState): boolean {
  return state === 'failed' || state === 'cancelled'
}

/** Neither arrived nor given up: closing the page would lose it. */
export function isOpen(state: UploadState): boolean {
  return isMoving(state) || state === 'paused'
}

/** Under way, or will be without anybody's doing. */
export function isMoving(state: UploadState): boolean {
  return state === 'waiting' || state === 'active'
}

function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('unexpected', { incident: 'upload' }, { cause: error })
}
