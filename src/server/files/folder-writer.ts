import { type FolderTask, folderText } from './folder-text.ts'
import type { FolderOrder, FolderReply } from './folder-worker.ts'

/** Folders of up to so many entries are written where the request is served: about 2 ms. */
const ENTRIES_HERE = 1000
const IDLE_MS = 60_000

/** Writes folders as JSON in UTF-8. */
export interface FolderWriter extends Disposable {
  write(task: FolderTask): Promise<Uint8Array<ArrayBuffer>>
}

/** Sorts and writes long folders in a thread of its own, which starts with the first of them and ends when none has come for a minute. */
export function createFolderWriter({ idleMs = IDLE_MS, entriesHere = ENTRIES_HERE } = {}): FolderWriter {
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>()
  let worker: Worker | null = null
  let rest: ReturnType<typeof setTimeout> | undefined
  let lastId = 0

  function end(reason: string): void {
    clearTimeout(rest)
    worker?.terminate()
    worker = null
    for (const { reject } of waiting.values()) reject(new Error(`folder worker: ${reason}`))
    waiting.clear()
  }

  function start(): Worker {
    const fresh = new Worker(new URL('./folder-worker.ts', import.meta.url))
    fresh.unref()
    fresh.onmessage = ({ data }: MessageEvent<FolderReply>) => {
      const answer = waiting.get(data.id)
      waiting.delete(data.id)
      if ('bytes' in data) answer?.resolve(data.bytes)
      else answer?.reject(new Error(`folder worker: ${data.failure}`))
      if (waiting.size > 0) return
      rest = setTimeout(() => end('idle'), idleMs)
      rest.unref()
    }
    fresh.onerror = ({ message }) => end(message)
    return fresh
  }

  return {
    async write(task) {
      if (task.sheet.names.length <= entriesHere) return new TextEncoder().encode(folderText(task))
      clearTimeout(rest)
      worker ??= start()
      const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
      const id = ++lastId
      waiting.set(id, answer)
      const sheet = { ...task.sheet, names: task.sheet.names.join('\0') }
      worker.postMessage({ id, task: { ...task, sheet } } satisfies FolderOrder)
      return answer.promise
    },
    [Symbol.dispose]: () => end('closed'),
  }
}
