const IDLE_MS = 10_000

interface Waiting<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** What a thread answers: to the ticket it got, what was wanted or how that failed. */
export type Ticketed<Answer> =
  | { readonly ticket: number; readonly answer: Answer }
  | { readonly ticket: number; readonly code: string; readonly message: string }

/** Work for a thread of its own, started when needed and ended when idle, so that a quiet server stays small. */
export function createThread<Answer>(program: URL): { ask(ask: unknown): Promise<Answer> } {
  const waiting = new Map<number, Waiting<Answer>>()
  let worker: Worker | null = null
  let ending: Timer | undefined
  let ticket = 0

  function start(): Worker {
    const started = new Worker(program)
    started.onmessage = ({ data }: MessageEvent<Ticketed<Answer>>) => {
      const asker = waiting.get(data.ticket)
      waiting.delete(data.ticket)
      if ('code' in data) asker?.reject(Object.assign(new Error(data.message), { code: data.code }))
      else asker?.resolve(data.answer)
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
    ask(ask) {
      clearTimeout(ending)
      worker ??= start()
      worker.ref()
      worker.postMessage({ ticket: ++ticket, ask })
      return new Promise((resolve, reject) => void waiting.set(ticket, { resolve, reject }))
    },
  }
}

declare const self: Worker

/** The other end: answers each ask in turn. @param work `transfer` names the buffers of the answer that need no copy */
export function answerAsks(work: (ask: never) => { answer: unknown; transfer: ArrayBufferLike[] }): void {
  // Asks come from the one file that starts this program, which sends what its worker's types say.
  self.onmessage = ({ data: { ticket, ask } }: MessageEvent<{ ticket: number; ask: never }>): void => {
    try {
      const { answer, transfer } = work(ask)
      self.postMessage({ ticket, answer } satisfies Ticketed<unknown>, { transfer: transfer as ArrayBuffer[] })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      self.postMessage({ ticket, code, message: String(error) } satisfies Ticketed<unknown>)
    }
  }
}
