import { fdatasync, write, writev } from 'node:fs'
import { promisify } from 'node:util'
import { fail } from '../../shared/errors.ts'
import { chunksOf } from './chunks.ts'
import { openDirectWriter, type Writer } from './direct-writer.ts'
import type { AppendOptions } from './storage.ts'

/** Small chunks wait for each other until there is this much: a system call costs more than a few of them. */
const BATCH_BYTES = 1024 * 1024
/** More than this at a time does not go by way of the kernel's memory. */
const SMALL_BYTES = 8 * 1024 * 1024
/** The kernel takes 1024 pieces at a time (IOV_MAX). */
const BATCH_CHUNKS = 1000
/** The disk is set to work from time to time, or publishing a large file would wait for all of it at its end. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024
const syncData = promisify(fdatasync)
const writeBytes = promisify(write)
const writeMany = promisify(writev)

/**
 * Writes to the end of a file opened for appending. While one batch is on its way to the disk the next is collected, and no more: a fast
 * sender waits. Whatever ends it, all that was received before is written.
 */
export async function appendTo(
  fd: number,
  bytes: ReadableStream<Uint8Array> | Uint8Array,
  { signal, limit = Number.POSITIVE_INFINITY, onBytes, onStart }: AppendOptions & { onStart?: (writer: Pick<Writer, 'settle'>) => void },
): Promise<void> {
  signal?.throwIfAborted()
  let writer = batchWriter(fd)
  onStart?.({ settle: () => writer.settle() })
  let room = limit
  let added = 0
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : chunksOf(bytes, signal)) {
      onBytes?.()
      await writer.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
      if (chunk.length > room) fail('too-large', { limit })
      room -= chunk.length
      const isLarge = added <= SMALL_BYTES && added + chunk.length > SMALL_BYTES
      added += chunk.length
      if (isLarge) {
        await writer.settle()
        writer = openDirectWriter(fd) ?? writer
      }
    }
  } finally {
    await writer.finish()
  }
}

function batchWriter(fd: number): Writer {
  let batch: Uint8Array[] = []
  let waiting = 0
  let running: Promise<void> = Promise.resolve()
  let unsynced = 0
  let syncing: Promise<void> = Promise.resolve()
  let isSyncing = false

  /** @returns when the batch before is written, and so there is room for another */
  function flush(): Promise<void> {
    const [before, chunks, total] = [running, batch, waiting]
    batch = []
    waiting = 0
    running = before.then(() => writeAll(fd, chunks, total))
    // Looked at by the next flush; until then a failure is not an unhandled one.
    running.catch(() => undefined)
    unsynced += total
    if (unsynced >= SYNC_EVERY_BYTES && !isSyncing) sync()
    return before
  }

  function settle(): Promise<void> {
    void flush()
    return running
  }

  function sync(): void {
    unsynced = 0
    isSyncing = true
    syncing = syncData(fd).finally(() => (isSyncing = false))
    syncing.catch(() => undefined)
  }

  return {
    async add(chunk) {
      batch.push(chunk)
      waiting += chunk.length
      if (waiting >= BATCH_BYTES || batch.length >= BATCH_CHUNKS) await flush()
    },
    settle,
    async finish() {
      try {
        await settle()
      } finally {
        // A failed write-back is told once, and to us.
        await syncing
      }
    },
  }
}

/** A full disk takes a part and fails on the rest: what it took stays. */
async function writeAll(fd: number, batch: Uint8Array[], total: number): Promise<void> {
  if (total === 0) return
  let done = batch.length === 1 ? 0 : (await writeMany(fd, batch)).bytesWritten
  if (done === total) return
  for (const chunk of batch) {
    for (let at = Math.min(done, chunk.length); at < chunk.length;) at += (await writeBytes(fd, chunk, at, chunk.length - at)).bytesWritten
    done = Math.max(0, done - chunk.length)
  }
}
