import type { FirstWanted } from '../../shared/natural-order.ts'
import { threadProgram } from '../entries/entries.ts'
import { type AskOptions, createThreads } from '../threads/threads.ts'
import { createSemaphore, type Semaphore } from '../threads/semaphore.ts'
import { folderBytes, type FolderTask } from './folder-text.ts'
import type { FolderWorkerRequest } from './folder-worker.ts'

/** Folders of up to so many entries are written where the request is served: about 2 ms. */
const ENTRIES_HERE = 1000
/** Long folders that are read and written at once: 300,000 entries take up to 300 MB meanwhile, and both threads do one thing after another. */
const LONG_AT_ONCE = 1

export interface FirstRows extends FirstWanted {
  readonly tell: (indices: Uint32Array) => void
}

/** Writes folders as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  /** For reading and writing a long folder; ends when its text is complete. */
  acquire: Semaphore['acquire']
  write(task: FolderTask): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Begins with the order of a folder's names while others still find out the rest. Null where that failed, which `write` will tell.
   * @param first the rows that are told of, as indices, before all are in order
   */
  order(names: readonly string[], first?: FirstRows): Promise<Uint32Array | null>
}

/** Sorts and writes long folders in a thread of its own, which starts with the first of them and ends soon after the last. */
export function createFolderWriter({ idleMs, entriesHere = ENTRIES_HERE }: { idleMs?: number; entriesHere?: number } = {}): FolderWriter {
  const threads = createThreads<ArrayBuffer>(threadProgram('folder-worker'), { idleMs, small: true })
  const ask = (what: FolderWorkerRequest, options?: AskOptions<ArrayBuffer>) => threads.ask(what, options)
  const turns = createSemaphore(LONG_AT_ONCE)
  return {
    acquire: (signal) => turns.acquire(signal),
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
