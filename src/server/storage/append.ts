import { fail, codeOf } from '../../shared/errors.ts'
import { openDirectWriter, type Writer } from './direct-writer.ts'
import type { AppendOptions } from './storage.ts'
import type { IoFile } from './disk-io.ts'

/** Small chunks are collected up to this size: a system call costs more than a few of them. */
const BATCH_BYTES = 1024 * 1024
/** Larger appends bypass the page cache. */
const SMALL_BYTES = 8 * 1024 * 1024
/** The kernel accepts 1024 pieces per call (IOV_MAX). */
const BATCH_CHUNKS = 1000
/** A sync starts after this many bytes; otherwise publishing a large file would wait for all of it at the end. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024
/** Bytes that bypass the page cache need a sync only to survive a crash, so not more often than this. */
const SYNC_EVERY_MS = 1000

export interface Appending {
  /** Makes the bytes received so far durable. @returns their size */
  confirm(): Promise<number>
}

/**
 * Writes to a file from `at` on, after truncating it there. While one batch is being written the next is collected, and no more: a fast sender
 * waits. If the sender fails, the bytes received before are written. After a failed write or sync only the size passed to `onDurable` is certain:
 * the kernel reports such a failure once, and the bytes may be lost.
 *
 * @param options.isDirect whether large appends may bypass the page cache
 * @returns the size afterwards
 */
export async function appendTo(
  file: IoFile,
  bytes: ReadableStream<Uint8Array> | Uint8Array,
  options: AppendOptions & { at: number; isDirect?: boolean; onStart?: (appending: Appending) => void },
): Promise<number> {
  const { signal, limit = Number.POSITIVE_INFINITY, onBytes, onStart, mayWrite, whole, isDirect = false, announced = 0 } = options
  signal?.throwIfAborted()
  await file.io.truncate(file.fd, options.at)
  const writing = { at: options.at, mayWrite }
  let direct = isDirect && announced > SMALL_BYTES ? openDirectWriter(file.fd, writing) : null
  let writer: Writer = direct ?? batchWriter(file, writing)
  const syncs = createSyncs(file, { written: () => writer.written(), settle: () => writer.settle(), onDurable: options.onDurable })
  onStart?.({ confirm: syncs.confirm })
  let room = limit
  let added = 0
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : chunksOf(bytes, signal)) {
      onBytes?.()
      await writer.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
      if (chunk.length > room) fail('too-large', { limit })
      room -= chunk.length
      const isLarge = isDirect && direct === null && added <= SMALL_BYTES && added + chunk.length > SMALL_BYTES
      added += chunk.length
      if (isLarge) {
        await writer.settle()
        direct = openDirectWriter(file.fd, { ...writing, at: writer.written() })
        writer = direct ?? writer
      }
      if (direct === null || (options.onDurable !== undefined && syncs.age() >= SYNC_EVERY_MS)) syncs.now()
    }
  } finally {
    try {
      // A disk that fails is reported before a sender that does.
      await finish(writer, syncs, { mustConfirm: whole !== undefined && (options.at + added < whole || room < 0) })
    } finally {
      await syncs.end()
    }
  }
  return writer.written()
}

async function finish(writer: Writer, syncs: Syncs, { mustConfirm }: { mustConfirm: boolean }): Promise<void> {
  const failure: unknown = await writer.finish().then(
    () => null,
    (error: unknown) => error,
  )
  await syncs.settled()
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(failure))
  if (failure !== null && !isFull) throw failure
  // The bytes that a full disk accepted count once they are synced.
  if (mustConfirm || isFull) await syncs.confirm()
  if (failure !== null) throw failure
}

interface Syncs extends Appending {
  /** Called when bytes arrive: starts a sync from time to time, without waiting for it. */
  now(): void
  /** Milliseconds since the last sync began. */
  age(): number
  /** Fails if any sync failed: the kernel reports a failure only once. */
  settled(): Promise<void>
  /** Starts no more syncs and waits for a running one, so that the descriptor can be closed. Never fails. */
  end(): Promise<void>
}

function createSyncs(
  { fd, io }: IoFile,
  { written, settle, onDurable }: { written: () => number; settle: () => Promise<void>; onDurable: ((size: number) => void) | undefined },
): Syncs {
  let last: Promise<void> = Promise.resolve()
  let running = false
  let begunAt = performance.now()
  let durable = written()
  let ended = false

  /** Runs one sync at a time; none after a failure. */
  function sync(): Promise<void> {
    running = true
    last = syncAfter(last)
    last.catch(() => undefined)
    return last
  }

  async function syncAfter(before: Promise<void>): Promise<void> {
    await before
    begunAt = performance.now()
    const size = written()
    await io.syncData(fd)
    durable = Math.max(durable, size)
    onDurable?.(durable)
    running = false
  }

  return {
    now() {
      if (!running && written() - durable >= SYNC_EVERY_BYTES) void sync()
    },
    age: () => performance.now() - begunAt,
    settled: () => last,
    async end() {
      ended = true
      await last.catch(() => undefined)
    },
    async confirm() {
      if (!ended) await settle()
      if (!ended) await sync()
      return durable
    },
  }
}

function batchWriter({ fd, io }: IoFile, { at, mayWrite }: { at: number; mayWrite: (() => void) | undefined }): Writer {
  let batch: Uint8Array[] = []
  let waiting = 0
  let running: Promise<void> = Promise.resolve()
  let written = at

  /** Resolves when the batch before is written, so that there is room for another. */
  function flush(): Promise<void> {
    const [before, chunks, total] = [running, batch, waiting]
    batch = []
    waiting = 0
    running = before.then(() => writeAll(chunks, total))
    // The next flush awaits it; until then a failure must not count as an unhandled rejection.
    running.catch(() => undefined)
    return before
  }

  function settle(): Promise<void> {
    void flush()
    return running
  }

  /** A full disk writes a part and fails on the rest; the written part counts. */
  async function writeAll(chunks: Uint8Array[], total: number): Promise<void> {
    if (total === 0) return
    mayWrite?.()
    let done = chunks.length === 1 ? 0 : await io.writeAll(fd, chunks, written)
    written += done
    if (done === total) return
    for (const chunk of chunks) {
      for (let from = Math.min(done, chunk.length); from < chunk.length;) {
        mayWrite?.()
        const taken = await io.write(fd, chunk.subarray(from), written)
        from += taken
        written += taken
      }
      done = Math.max(0, done - chunk.length)
    }
  }

  return {
    async add(chunk) {
      batch.push(chunk)
      waiting += chunk.length
      if (waiting >= BATCH_BYTES || batch.length >= BATCH_CHUNKS) await flush()
    },
    settle,
    finish: settle,
    written: () => written,
  }
}

/** The chunks of a stream, one at a time, until it ends or `signal` aborts. The stream is released in any case. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader()
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
