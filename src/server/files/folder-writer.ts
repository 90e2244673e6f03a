import type { FirstWanted } from '../../shared/natural-order.ts'
import { threadProgram } from '../entries/entries.ts'
import { type AskOptions, createThreads } from '../threads/threads.ts'
import { type FolderTask, folderText } from './folder-text.ts'
import type { FolderAsk } from './folder-worker.ts'

/** Folders of up to so many entries are written where the request is served: about 2 ms. */
const ENTRIES_HERE = 1000
const IDLE_MS = 60_000

export interface FirstRows extends FirstWanted {
  readonly tell: (indices: Uint32Array) => void
}

/** Writes folders as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  write(task: FolderTask): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Begins with the order of a folder's names while others still find out the rest. Null where that failed, which `write` will tell.
   * @param first the rows that are told of, as indices, before all are in order
   */
  order(names: readonly string[], first?: FirstRows): Promise<Uint32Array | null>
}

/** Sorts and writes long folders in a thread of its own, which starts with the first of them and ends when none has come for a minute. */
export function createFolderWriter({ idleMs = IDLE_MS, entriesHere = ENTRIES_HERE } = {}): FolderWriter {
  const threads = createThreads<ArrayBuffer>(threadProgram('folder-worker'), { idleMs })
  const ask = (what: FolderAsk, options?: AskOptions<ArrayBuffer>) => threads.ask(what, options)
  return {
    async write(task) {
      if (task.sheet.names.length <= entriesHere) return new TextEncoder().encode(folderText(task))
      const sheet = { ...task.sheet, names: task.sheet.names.join('\0') }
      return new Uint8Array(await ask({ ...task, sheet }))
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
