import { AppError, type ErrorCode, type ErrorDetails, fail } from '../../shared/errors.ts'
import { threadProgram } from '../entries/entries.ts'
import { createThreads } from '../threads/threads.ts'
import type { DiskCalls } from './disk-calls.ts'
import type { DiskIo } from './disk-io.ts'
import type { Executor } from './executor.ts'

/** Concurrent calls to one disk. */
const MOST_THREADS = 4
/** Calls that may wait for a thread; more are refused, because the disk cannot keep up. */
const MOST_WAITING = 64
const RETRY_SECONDS = 10
/** If a call takes longer, the disk hangs. */
const HANGING_MS = 10_000

/** A call of `DiskCalls`, or one of `DiskIo`. */
export interface DiskAsk {
  readonly call: string
  readonly args: readonly unknown[]
}

/** The result of the call, or the code and detail of its `AppError`. */
export type DiskAnswer = { readonly value: unknown } | { readonly code: ErrorCode; readonly detail: ErrorDetails[ErrorCode] }

/** Runs the calls to one disk in threads of its own, so that a disk that hangs blocks only its own users. */
export function createThreadExecutor(): Executor {
  const threads = createThreads<DiskAnswer>(threadProgram('disk-worker'), { most: MOST_THREADS, small: true })
  const waiting: (() => void)[] = []
  /** The start times of the running calls. */
  const running = new Set<{ readonly since: number }>()

  async function ask<T>(call: string, args: readonly unknown[], { most = MOST_WAITING } = {}): Promise<T> {
    if (waiting.length >= most) fail('storage-busy', { retryAfterSeconds: RETRY_SECONDS })
    if (running.size >= MOST_THREADS) await new Promise<void>((resolve) => void waiting.push(resolve))
    const mine = { since: performance.now() }
    running.add(mine)
    try {
      const answer = await threads.ask({ call, args } satisfies DiskAsk)
      if ('code' in answer) throw new AppError(answer.code, answer.detail)
      // The thread returns the result of the call of that name.
      return answer.value as T
    } finally {
      running.delete(mine)
      waiting.shift()?.()
    }
  }

  const io: DiskIo = {
    async read(fd, into, at) {
      const bytes = await ask<Uint8Array>('read', [fd, into.length, at])
      into.set(bytes)
      return bytes.length
    },
    write: (fd, bytes, at) => ask('write', [fd, bytes, at]),
    writeAll: (fd, pieces, at) => ask('writeAll', [fd, pieces, at]),
    truncate: (fd, size) => ask('truncate', [fd, size]),
    sync: (fd) => ask('sync', [fd]),
    syncData: (fd) => ask('syncData', [fd]),
    clone: (from, to) => ask('clone', [from, to]),
    // Never refused, or the descriptor would stay open.
    close: (fd) => ask('close', [fd], { most: Number.POSITIVE_INFINITY }),
  }

  return {
    io,
    isThreaded: () => true,
    runNow: () => null,
    isHanging: () => [...running].some(({ since }) => performance.now() - since > HANGING_MS),
    run: <Call extends keyof DiskCalls>(call: Call, ...args: Parameters<DiskCalls[Call]>) => ask(call, args),
  }
}
