import { fdatasync, write, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { fail } from '../../shared/errors.ts'
import { chunksOf } from './chunks.ts'

/** The disk is set to work from time to time, or publishing a large file would wait for all of it at its end. */
const SYNC_EVERY_BYTES = 64 * 1024 * 1024
/** A write that takes longer waits for a disk, and others would wait with it. */
const SLOW_MS = 5
/** How much a chunk may be to be written at once: copied within a millisecond. */
const QUICK_BYTES = 1024 * 1024
const syncData = promisify(fdatasync)
const writeBytes = promisify(write)

/** Writes to the end of a file opened for appending. Whatever ends it, all that was received before is written. */
export async function appendTo(
  fd: number,
  bytes: ReadableStream<Uint8Array> | Uint8Array,
  { signal, limit = Number.POSITIVE_INFINITY }: { signal?: AbortSignal; limit?: number },
): Promise<void> {
  signal?.throwIfAborted()
  const writer = chunkWriter(fd)
  let room = limit
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : chunksOf(bytes, signal)) {
      await writer.add(chunk.length > room ? chunk.subarray(0, room) : chunk)
      if (chunk.length > room) fail('too-large', { limit })
      room -= chunk.length
    }
  } finally {
    await writer.finish()
  }
}

/**
 * Writes here and now, as long as that only means a copy into memory: in the processor's cache it costs half of what it costs in another thread.
 * From the first slow write on, in the background.
 */
function chunkWriter(fd: number): { add(chunk: Uint8Array): Promise<void> | undefined; finish(): Promise<void> } {
  let isQuick = true
  let unsynced = 0
  let syncing: Promise<void> | null = null

  function sync(): void {
    unsynced = 0
    syncing = syncData(fd).finally(() => (isSyncing = false))
    isSyncing = true
    // A failed write-back is told once, at the end.
    syncing.catch(() => undefined)
  }
  let isSyncing = false

  return {
    add(chunk) {
      unsynced += chunk.length
      if (unsynced >= SYNC_EVERY_BYTES && !isSyncing) sync()
      if (!isQuick || chunk.length > QUICK_BYTES) return writeAll(fd, chunk)
      const start = performance.now()
      let done = 0
      while (done < chunk.length) done += writeSync(fd, chunk, done)
      isQuick = performance.now() - start < SLOW_MS
    },
    async finish() {
      await syncing
    },
  }
}

/** A full disk takes a part and fails on the rest: what it took stays. */
async function writeAll(fd: number, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length;) done += (await writeBytes(fd, chunk, done)).bytesWritten
}
