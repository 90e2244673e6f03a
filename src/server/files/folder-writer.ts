import type { FirstWanted } from '../../shared/natural-order.ts'
import { threadProgram } from '../entries/entries.ts'
import { type AskOptions, createThreads } from '../threads/threads.ts'
import { createSemaphore, EVERYBODY } from '../../shared/semaphore.ts'
import { folderBytes, type FolderTask } from './folder-text.ts'
import type { FolderWorkerRequest } from './folder-worker.ts'

/** Folders of up to this many entries are written on the main thread: about 2 ms. */
const ENTRIES_HERE = 1000
/** Long folders that are read and written concurrently: 300,000 entries take up to 300 MB meanwhile, and both threads work sequentially. */
const LONG_AT_ONCE = 1

export interface FirstRows extends FirstWanted {
  readonly tell: (indices: Uint32Array) => void
}

/** Writes folders as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  /** Taken for reading and writing a long folder, released when its text is complete. */
  acquire(signal?: AbortSignal): Promise<Disposable>
  write(task: FolderTask): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Starts sorting a folder's names while the rest is still being read. Null if that failed, which `write` will report.
   * @param first called with the indices of the first rows before all are sorted
   */
  order(names: readonly string[], first?: FirstRows): Promise<Uint32Array | null>
}

/** Sorts and writes long folders in a separate thread, which starts with the first of them and stops soon after the last. */
export function createFolderWriter({ idleMs, entriesHere = ENTRIES_HERE }: { idleMs?: number; entriesHere?: number } = {}): FolderWriter {
  const threads = createThreads<ArrayBuffer>(threadProgram('folder-worker'), { idleMs, small: true })
  const ask = (what: FolderWorkerRequest, options?: AskOptions<ArrayBuffer>) => threads.ask(what, options)
  const long = createSemaphore({ slots: LONG_AT_ONCE })
  return {
    acquire: async (signal) => ({ [Symbol.dispose]: await long.acquire(EVERYBODY, { signal }) }),
    async write(task) {
      if (task.columns.names.length <= entriesHere) return folderBytes(task)
      const columns = { ...task.columns, names: task.columns.names.join('\0') }
      return new Uint8Array(await ask({ ...task, columns }))
    },
    order(names, first) {
      const wanted = first && { folders: first.folders, count: first.count, descending: first.descending }
      return ask({ names: names.join('\0'), first: wanted ?? null }, { onPart: (part) => first?.tell(new Uint32Array(part)) }).then(
        (order) => new Uint32Array(order),
        () => null,
      )
    },
    [Symbol.dispose]: () => threads[Symbol.dispose](),
  }
}
