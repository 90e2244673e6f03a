import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { RUNTIME_COMMAND } from '../../scripts/lib/packages.mjs'
import { createProgramHost } from './program-host.ts'

const [BUN, ...OPTIONS] = RUNTIME_COMMAND

/** To the process, under a number of its own: a server with this command line, or the end of the one that was asked for by `stop`. */
export type Order = { readonly order: number } & ({ readonly args: string[] } | { readonly stop: number })
export type Reply = { readonly order: number } & ({ readonly url: string } | { readonly error: string })

/** A server that listens. */
export interface Running {
  readonly origin: string
  /** It stops, and its database is whole; where its process is gone, it is gone already. */
  end(): Promise<void>
}

/** Where servers run. */
export interface Host extends AsyncDisposable {
  /** @param args the server's command line */
  start(args: readonly string[]): Promise<Running>
  /** Ends the process at once, and with it whatever runs there; the next start has a new one. */
  kill(): Promise<void>
}

/** A process in which servers run one after another: loading the program takes longer than most walks have questions for it. */
export function createHost(): Host {
  if (process.env['TEST_PROGRAM']) return createProgramHost()
  const waiting = new Map<number, { resolve(url: string): void; reject(error: Error): void }>()
  let child: ChildProcess | null = null
  let orders = 0

  function begin(): ChildProcess {
    const begun = spawn(BUN, [...OPTIONS, 'test/host.child.ts'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    begun.on('message', (reply: Reply) => {
      const answered = waiting.get(reply.order)
      waiting.delete(reply.order)
      if ('error' in reply) answered?.reject(new Error(reply.error))
      else answered?.resolve(reply.url)
    })
    begun.once('exit', (code, signal) => {
      child = null
      for (const answered of waiting.values()) answered.reject(new Error(`the process of the servers ended with ${code ?? signal}`))
      waiting.clear()
    })
    return begun
  }

  function send(to: ChildProcess, order: Order): Promise<string> {
    return new Promise((resolve, reject) => {
      waiting.set(order.order, { resolve, reject })
      to.send(order)
    })
  }

  async function kill(): Promise<void> {
    if (child === null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  return {
    async start(args) {
      const at = (child ??= begin())
      const start = ++orders
      const url = await send(at, { order: start, args: [...args] })
      return {
        origin: new URL(url).origin,
        async end() {
          if (child === at) await send(at, { order: ++orders, stop: start })
        },
      }
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
