import type { CompressResult, CompressTask } from './compress-worker.ts'

const THREADS = 2
/** Threads that have had nothing to do for so long go. */
const IDLE_MS = 30_000

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }>
}

let threads: Thread[] = []
let nextId = 1
let idle: ReturnType<typeof setTimeout> | undefined

/** Compresses one block in the thread that has least to do. Threads start with the first block, and do not keep the program alive. */
export function compressInThread(kind: CompressTask['kind'], bytes: Uint8Array): Promise<Uint8Array> {
  clearTimeout(idle)
  const thread = leastBusy()
  const id = nextId++
  return new Promise<Uint8Array>((resolve, reject) => {
    thread.waiting.set(id, { resolve, reject })
    thread.worker.postMessage({ id, kind, bytes } satisfies CompressTask)
  }).finally(rest)
}

function leastBusy(): Thread {
  const free = threads.find(({ waiting }) => waiting.size === 0)
  if (free !== undefined) return free
  if (threads.length < THREADS) {
    const thread = startThread()
    threads.push(thread)
    return thread
  }
  const [first, ...others] = threads
  return others.reduce((least, one) => (one.waiting.size < least.waiting.size ? one : least), first ?? startThread())
}

function startThread(): Thread {
  const worker = new Worker(new URL('./compress-worker.ts', import.meta.url).href)
  worker.unref()
  const thread: Thread = { worker, waiting: new Map() }
  worker.onmessage = ({ data: { id, bytes, error } }: MessageEvent<CompressResult>) => {
    const task = thread.waiting.get(id)
    thread.waiting.delete(id)
    if (bytes === null) task?.reject(new Error(error ?? 'no result'))
    else task?.resolve(bytes)
  }
  worker.onerror = (event) => {
    threads = threads.filter((one) => one !== thread)
    for (const { reject } of thread.waiting.values()) reject(new Error(event.message))
    thread.waiting.clear()
    worker.terminate()
  }
  return thread
}

function rest(): void {
  if (threads.some(({ waiting }) => waiting.size > 0)) return
  clearTimeout(idle)
  idle = setTimeout(() => {
    for (const { worker } of threads) worker.terminate()
    threads = []
  }, IDLE_MS)
  idle.unref()
}
