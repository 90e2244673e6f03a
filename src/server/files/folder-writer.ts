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

/** Folders of up to so many entries are sorted and written where the request is served: about 2 ms. */
const ENTRIES_HERE = 1000
/** Long folders that are read and put in order at once: both threads do one thing after another anyway, and each takes memory meanwhile. */
const LONG_AT_ONCE = 1

export interface FirstRows extends FirstWanted {
  readonly tell: (indices: Uint32Array) => void
}

/** Sorts folders, and writes them as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  /** For reading a long folder and putting it in order: clients take turns. What is in order is written piece by piece, without one. */
  readonly slots: Semaphore
  /**
   * Begins with the order of a folder's names while others still find out the rest. Null where that failed, which `sort` will tell.
   * @param first the rows that are told of, as indices, before all are in order
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
