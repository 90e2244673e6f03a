const IDLE_MS = 4000
/** Longer work leaves much garbage. */
const LONG_WORK_MS = 50

/** Threads that run the same program and answer requests. */
export interface Threads<Answer> extends Disposable {
  /** Answered by the least busy thread. */
  ask(ask: unknown, options?: AskOptions<Answer>): Promise<Answer>
}

export interface AskOptions<Answer> {
  /** Buffers of the request that are transferred instead of copied. */
  readonly transfer?: ArrayBuffer[]
  /** Called for what the thread sends before its answer. */
  readonly onPart?: (part: Answer) => void
}

export interface ThreadsOptions {
  /** Maximum number of threads. */
  readonly most?: number
  /** How long idle threads are kept; null for the lifetime of the process. */
  readonly idleMs?: number | null
  /** Whether they free unused memory sooner than the machine would require. */
  readonly small?: boolean
}

/** A thread's answer to a numbered request: the result, or the failure. */
type Ticketed<Answer> =
  | { readonly ticket: number; readonly answer: Answer }
  | { readonly ticket: number; readonly part: Answer }
  | { readonly ticket: number; readonly code: string; readonly message: string }

interface Thread<Answer> {
  readonly worker: Worker
  readonly waiting: Map<number, Asker<Answer>>
}

interface Asker<Answer> extends PromiseWithResolvers<Answer> {
  readonly onPart: (part: Answer) => void
}

/** Started on demand and ended when idle, so that an idle server stays small. */
export function createThreads<Answer>(program: URL, { most = 1, idleMs = IDLE_MS, small = false }: ThreadsOptions = {}): Threads<Answer> {
  const threads = new Set<Thread<Answer>>()
  let ending: Timer | undefined
  let ticket = 0

  function start(): Thread<Answer> {
    const worker = new Worker(program, { smol: small })
    const thread: Thread<Answer> = { worker, waiting: new Map() }
    worker.onmessage = ({ data }: MessageEvent<Ticketed<Answer>>) => {
      const asker = thread.waiting.get(data.ticket)
      if ('part' in data) return asker?.onPart(data.part)
      thread.waiting.delete(data.ticket)
      if ('code' in data) asker?.reject(Object.assign(new Error(data.message), { code: data.code }))
      else asker?.resolve(data.answer)
      if (thread.waiting.size === 0) rest(thread)
    }
    worker.onerror = ({ message }) => end(thread, message)
    threads.add(thread)
    return thread
  }

  function leastBusy(): Thread<Answer> {
    const [first, ...others] = threads
    const least = others.reduce((one, other) => (other.waiting.size < one.waiting.size ? other : one), first ?? start())
    return least.waiting.size > 0 && threads.size < most ? start() : least
  }

  function rest({ worker }: Thread<Answer>): void {
    worker.unref()
    if (idleMs === null || [...threads].some(({ waiting }) => waiting.size > 0)) return
    ending = setTimeout(() => endAll('idle'), idleMs)
    ending.unref()
  }

  function end(thread: Thread<Answer>, reason: string): void {
    threads.delete(thread)
    thread.worker.terminate()
    for (const { reject } of thread.waiting.values()) reject(new Error(`thread: ${reason}`))
  }

  function endAll(reason: string): void {
    clearTimeout(ending)
    for (const thread of threads) end(thread, reason)
  }

  return {
    ask(ask, { transfer = [], onPart = () => undefined } = {}) {
      clearTimeout(ending)
      const { worker, waiting } = leastBusy()
      const answer = { ...Promise.withResolvers<Answer>(), onPart }
      waiting.set(++ticket, answer)
      worker.ref()
      worker.postMessage({ ticket, ask }, transfer)
      return answer.promise
    },
    [Symbol.dispose]: () => endAll('closed'),
  }
}

declare const self: Worker

/** An answer, and its buffers that are transferred. */
export interface Answered {
  readonly answer: unknown
  readonly transfer: ArrayBufferLike[]
}

/**
 * The side of the thread: answers requests one after the other, and may send parts before the answer.
 * @param options.keeps whether the thread keeps data between requests. If not, garbage is collected after long work: the runtime would wait until
 * much more has accumulated
 */
export function answerRequests(
  work: (ask: never, tell: (part: Answered) => void) => Answered | Promise<Answered>,
  { keeps = true }: { keeps?: boolean } = {},
): void {
  // Requests come from the one file that starts this program, which sends what its types say.
  self.onmessage = async ({ data: { ticket, ask } }: MessageEvent<{ ticket: number; ask: never }>): Promise<void> => {
    const tell = ({ answer: part, transfer }: Answered): void =>
      self.postMessage({ ticket, part } satisfies Ticketed<unknown>, { transfer: transfer as ArrayBuffer[] })
    const start = performance.now()
    try {
      const { answer, transfer } = await work(ask, tell)
      self.postMessage({ ticket, answer } satisfies Ticketed<unknown>, { transfer: transfer as ArrayBuffer[] })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      self.postMessage({ ticket, code, message: String(error) } satisfies Ticketed<unknown>)
    }
    if (!keeps && performance.now() - start > LONG_WORK_MS) Bun.gc(true)
  }
}
