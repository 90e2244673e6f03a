import { createStore, type StoreApi } from 'zustand/vanilla'
import { AppError } from '../../../shared/errors.ts'
import type { FilePath } from '../../../shared/file-path.ts'
import { PROGRESS_EVERY_MS, UPLOAD_SLOTS } from '../../../shared/limits.ts'
import type { ConflictAnswer, Job } from './send.ts'
import { createSpeed } from './speed.ts'
import { isAbort } from './xhr.ts'

export type UploadState = 'waiting' | 'active' | 'done' | 'skipped' | 'failed' | 'cancelled'

export interface Upload {
  readonly id: number
  readonly path: FilePath
  /** Bytes. */
  readonly size: number
  readonly sent: number
  readonly state: UploadState
  readonly error: AppError | null
}

export interface QueueState {
  readonly uploads: readonly Upload[]
  /** Bytes a second over the last seconds; 0 when nothing moves. */
  readonly speed: number
  /** Seconds that are left at that speed; null while nobody can say. */
  readonly remaining: number | null
}

/** Carries out one job; the queue decides only when, and what its state is. */
export type Run = (
  job: Job,
  options: { decided: ConflictAnswer | null; signal: AbortSignal; onProgress: (sent: number) => void },
) => Promise<'sent' | 'skipped'>

export interface QueueOptions {
  readonly run: Run
  /** Called when nothing waits or runs any more, with what became of this round. */
  readonly onIdle: (uploads: readonly Upload[]) => void
  readonly now?: () => number
}

export interface UploadQueue {
  readonly store: StoreApi<QueueState>
  enqueue(jobs: readonly { job: Job; decided: ConflictAnswer | null }[]): void
  cancel(id: number): void
  cancelAll(): void
  retry(id: number): void
  /** Takes what has ended out of the list. */
  clear(): void
}

/** Uploads of this tab: five at a time, the rest in line; progress is told at most every 100 ms (specification §9). */
export function createUploadQueue({ run, onIdle, now = () => performance.now() }: QueueOptions): UploadQueue {
  const store = createStore<QueueState>(() => ({ uploads: [], speed: 0, remaining: null }))
  const work = new Map<number, { job: Job; decided: ConflictAnswer | null; control: AbortController }>()
  const speed = createSpeed(now)
  const progress = new Map<number, number>()
  let nextId = 1
  let toldAt = -Infinity

  function change(id: number, fields: Partial<Upload>): void {
    store.setState(({ uploads }) => ({ uploads: uploads.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)) }))
  }

  function fill(): void {
    const { uploads } = store.getState()
    const free = UPLOAD_SLOTS - uploads.filter(({ state }) => state === 'active').length
    for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void carry(upload.id)
  }

  async function carry(id: number): Promise<void> {
    const item = work.get(id)
    if (item === undefined) return
    change(id, { state: 'active', error: null })
    try {
      const outcome = await run(item.job, { decided: item.decided, signal: item.control.signal, onProgress: (sent) => note(id, sent) })
      change(id, outcome === 'sent' ? { state: 'done', sent: item.job.file.size } : { state: 'skipped' })
    } catch (error) {
      change(id, isAbort(error) ? { state: 'cancelled' } : { state: 'failed', error: asAppError(error) })
    }
    progress.delete(id)
    fill()
    settle()
  }

  function note(id: number, sent: number): void {
    speed.moved(Math.max(0, sent - (progress.get(id) ?? sent)))
    progress.set(id, sent)
    if (now() - toldAt < PROGRESS_EVERY_MS) return
    toldAt = now()
    store.setState(({ uploads }) => {
      const told = uploads.map((upload) => ({ ...upload, sent: progress.get(upload.id) ?? upload.sent }))
      const left = told.reduce((sum, { state, size, sent: done }) => (isOpen(state) ? sum + size - done : sum), 0)
      const rate = speed.perSecond()
      return { uploads: told, speed: rate, remaining: rate > 0 ? left / rate : null }
    })
  }

  function settle(): void {
    const { uploads } = store.getState()
    if (uploads.some(({ state }) => isOpen(state))) return
    speed.reset()
    store.setState({ speed: 0, remaining: null })
    onIdle(uploads)
  }

  function cancel(id: number): void {
    const upload = store.getState().uploads.find((one) => one.id === id)
    if (upload === undefined || !isOpen(upload.state)) return
    work.get(id)?.control.abort()
    if (upload.state !== 'waiting') return
    change(id, { state: 'cancelled' })
    settle()
  }

  return {
    store,
    enqueue(jobs) {
      const added = jobs.map(({ job, decided }) => {
        const id = nextId++
        work.set(id, { job, decided, control: new AbortController() })
        return { id, path: job.path, size: job.file.size, sent: 0, state: 'waiting' as const, error: null }
      })
      store.setState(({ uploads }) => ({ uploads: [...uploads, ...added] }))
      fill()
    },
    cancel,
    cancelAll() {
      // Those in line first, so that no slot that comes free is filled again.
      const open = store.getState().uploads.filter(({ state }) => isOpen(state))
      for (const { id } of [...open.filter(({ state }) => state === 'waiting'), ...open.filter(({ state }) => state === 'active')])
        cancel(id)
    },
    retry(id) {
      const item = work.get(id)
      const upload = store.getState().uploads.find((one) => one.id === id)
      if (item === undefined || upload === undefined || isOpen(upload.state)) return
      work.set(id, { ...item, control: new AbortController() })
      change(id, { state: 'waiting', error: null })
      fill()
    },
    clear() {
      store.setState(({ uploads }) => ({ uploads: uploads.filter(({ state }) => isOpen(state)) }))
      const kept = new Set(store.getState().uploads.map(({ id }) => id))
      for (const id of work.keys()) if (!kept.has(id)) work.delete(id)
    },
  }
}

export function isOpen(state: UploadState): boolean {
  return state === 'waiting' || state === 'active'
}

function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('unexpected', { incident: 'upload' }, { cause: error })
}
