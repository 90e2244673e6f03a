import { createThreads } from '../threads/threads.ts'
import { type FolderTask, folderText } from './folder-text.ts'
import type { FolderOrder } from './folder-worker.ts'

/** Folders of up to so many entries are written where the request is served: about 2 ms. */
const ENTRIES_HERE = 1000
const IDLE_MS = 60_000

/** Writes folders as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  write(task: FolderTask): Promise<Uint8Array<ArrayBuffer>>
}

/** Sorts and writes long folders in a thread of its own, which starts with the first of them and ends when none has come for a minute. */
export function createFolderWriter({ idleMs = IDLE_MS, entriesHere = ENTRIES_HERE } = {}): FolderWriter {
  const threads = createThreads<Uint8Array<ArrayBuffer>>(new URL('./folder-worker.ts', import.meta.url), { idleMs })
  return {
    async write(task) {
      if (task.sheet.names.length <= entriesHere) return new TextEncoder().encode(folderText(task))
      const sheet = { ...task.sheet, names: task.sheet.names.join('\0') }
      return threads.ask({ ...task, sheet } satisfies FolderOrder)
    },
    [Symbol.dispose]: () => threads[Symbol.dispose](),
  }
}
