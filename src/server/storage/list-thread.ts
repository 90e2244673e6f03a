import type { ListAnswer, ListAsk } from './list-worker.ts'
import type { Columns } from './storage.ts'

const IDLE_MS = 10_000

interface Waiting {
  resolve(columns: Columns): void
  reject(error: Error): void
}

/** Lists folders in a thread of its own, started when needed and ended when idle, so that a quiet server stays small. */
export function createListThread(): { list(fd: number): Promise<Columns> } {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let ending: Timer | undefined
  let ticket = 0

  function start(): Worker {
    const started = new Worker(new URL('./list-worker.ts', import.meta.url))
    started.onmessage = ({ data }: MessageEvent<ListAnswer>) => {
      const asker = waiting.get(data.ticket)
      waiting.delete(data.ticket)
      if ('code' in data) asker?.reject(Object.assign(new Error(data.message), { code: data.code }))
      else asker?.resolve({ ...data, names: data.names === '' ? [] : data.names.split('\0') })
      if (waiting.size === 0) rest()
    }
    started.onerror = ({ message }) => {
      for (const asker of waiting.values()) asker.reject(new Error(message))
      waiting.clear()
      end()
    }
    return started
  }

  function rest(): void {
    worker?.unref()
    ending = setTimeout(end, IDLE_MS)
    ending.unref()
  }

  function end(): void {
    worker?.terminate()
    worker = null
  }

  return {
    list(fd) {
      clearTimeout(ending)
      worker ??= start()
      worker.ref()
      const ask: ListAsk = { ticket: ++ticket, fd }
      worker.postMessage(ask)
      return new Promise((resolve, reject) => void waiting.set(ask.ticket, { resolve, reject }))
    },
  }
}
