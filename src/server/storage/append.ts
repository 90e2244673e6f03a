import { fail, codeOf } from '../../shared/errors.ts'
import { openDirectWriter, type Writer } from './direct-writer.ts'
import type { AppendOptions } from './storage.ts'
import type { IoFile } from './disk-io.ts'

/** Small chunks wait for each other until there is this much: a system call costs more than a few of them. */
const BATCH_BYTES = 1024 * 1024
/** More than this at a time does not go by way of the kernel's memory. */
const SMALL_BYTES = 8 * 1024 * 1024
/** The kernel takes 1024 pieces at a time (IOV_MAX). */
const BATCH_CHUNKS = 1000
/** The disk is set to work from time to time, or publishing a large file would wait for all of it at its end. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024
/** What goes straight to the disk needs it only to be sure of it after a crash, so not more often than this. */
const SYNC_EVERY_MS = 1000

export interface Appending {
  /** Makes durable what came so far. @returns the size of it */
  confirm(): Promise<number>
}

/**
 * Writes to a file from `at` on; what lies beyond is cut off first. While one batch is on its way to the disk the next is collected, and no
 * more: a fast sender waits. When the sender fails, all that was received before is written. After a failed write or sync nothing is sure
 * but what `onDurable` told: the kernel forgets such a failure once it was told, and the bytes may be lost.
 *
 * @param options.isDirect whether much at a time may go straight to the disk, past the kernel's memory
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
  // What a full disk took is there, once the disk says so.
  if (mustConfirm || isFull) await syncs.confirm()
  if (failure !== null) throw failure
}

interface Syncs extends Appending {
  /** To be called as bytes come: asks the disk now and then to make them durable, and waits for nothing. */
  now(): void
  /** Milliseconds since the last one began. */
  age(): number
  /** Fails when any of them failed: that is told once, and to us. */
  settled(): Promise<void>
  /** From here on nothing reaches the descriptor, which its owner closes and whose number another file may get. Never fails. */
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

  /** One after the other; after a failure none. */
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

  /** @returns when the batch before is written, and so there is room for another */
  function flush(): Promise<void> {
    const [before, chunks, total] = [running, batch, waiting]
    batch = []
    waiting = 0
    running = before.then(() => writeAll(chunks, total))
    // Looked at by the next flush; until then a failure is not an unhandled one.
    running.catch(() => undefined)
    return before
  }

  function settle(): Promise<void> {
    void flush()
    return running
  }

  /** A full disk takes a part and fails on the rest: what it took counts. */
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

/** The chunks of a stream, one at a time, until it ends or `signal` says so. However it ends, the stream is let go of. */
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
