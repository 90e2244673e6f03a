import { shared } from '../../shared/column.ts'
import type { FirstWanted } from '../../shared/name-order.ts'
import { type NameBytes, shareNames } from '../../shared/packed-names.ts'
import { createSemaphore, type Semaphore } from '../../shared/semaphore.ts'
import { threadProgram } from '../entries/entries.ts'
import { type AskOptions, createThreads } from '../threads/threads.ts'
import { pieceOf, rowsOf, withRows } from './folder-text.ts'
import type { FolderInOrder, FolderTask } from './folder-task.ts'
import type { FolderWorkerRequest } from './folder-worker.ts'
import { entriesOf, shareColumns } from './folder-columns.ts'

/** Folders of up to this many entries are sorted and written on the main thread: about 2 ms. */
const ENTRIES_HERE = 1000
/** Long folders read and sorted in parallel: each takes memory, and the threads work sequentially anyway. */
const LONG_AT_ONCE = 1

export interface FirstRows extends FirstWanted {
  readonly tell: (indices: Uint32Array) => void
}

/** Sorts folders, and writes them as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  /** For reading and sorting a long folder: clients alternate. Writing the sorted pieces needs no slot. */
  readonly slots: Semaphore
  /**
   * Starts sorting a folder's names while the rest is still read. Null if that failed; `sort` then reports the error.
   * @param first called with the indices of the first rows, before all are sorted
   */
  order(names: NameBytes, first?: FirstRows): Promise<Uint32Array | null>
  sort(task: FolderTask): Promise<FolderInOrder>
  piece(folder: FolderInOrder, piece: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Long folders are sorted and written in a thread of its own, which starts with the first of them and ends soon after the last. */
export function createFolderWriter({ idleMs, entriesHere = ENTRIES_HERE }: { idleMs?: number; entriesHere?: number } = {}): FolderWriter {
  const threads = createThreads<ArrayBuffer>(threadProgram('folder-worker'), { idleMs, small: true })
  const ask = (what: FolderWorkerRequest, options?: AskOptions<ArrayBuffer>) => threads.ask(what, options)
  const isShort = ({ columns }: Pick<FolderTask, 'columns'>): boolean => entriesOf(columns) <= entriesHere
  return {
    slots: createSemaphore({ slots: LONG_AT_ONCE }),
    async order(names, first) {
      const wanted = first && { folders: first.folders, count: first.count, descending: first.descending }
      const onPart = (part: ArrayBuffer): void => first?.tell(new Uint32Array(part))
      try {
        return shared(new Uint32Array(await ask({ about: 'names', names: shareNames(names), first: wanted ?? null }, { onPart })))
      } catch {
        return null
      }
    },
    async sort(task) {
      if (isShort(task)) return withRows(task, rowsOf(task))
      const crossing = { ...task, columns: shareColumns(task.columns) }
      return withRows(crossing, shared(new Uint32Array(await ask({ about: 'rows', task: crossing }))))
    },
    async piece(folder, piece) {
      return isShort(folder) ? pieceOf(folder, piece) : new Uint8Array(await ask({ about: 'piece', folder, piece }))
    },
    [Symbol.dispose]: () => threads[Symbol.dispose](),
  }
}
