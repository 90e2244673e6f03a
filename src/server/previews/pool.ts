import type { Running } from '../sandbox/sandbox.ts'
import type { Failure, Crashed, RenderRequest, Picture } from './picture.ts'
import { createSemaphore, EVERYBODY } from '../../shared/semaphore.ts'
import { attachRenderer, type Renderer } from './renderer.ts'

const IDLE_MS = 60_000
/** Then the process is replaced, to free memory that it holds. */
const ORDERS_EACH = 2000

/** Rendering processes: started on demand up to a limit, ended after a minute without work. */
export type Pool = ReturnType<typeof createPool>

export function createPool({ start, size }: { start: () => Promise<Running>; size: number }) {
  const slots = createSemaphore({ slots: size })
  const free: { renderer: Renderer; orders: number }[] = []
  const all = new Set<Renderer>()
  let rest: ReturnType<typeof setTimeout> | undefined
  let ended = false

  function end(): void {
    for (const renderer of all) renderer.end()
    all.clear()
    free.length = 0
  }

  async function take(): Promise<{ renderer: Renderer; orders: number }> {
    clearTimeout(rest)
    for (let one = free.pop(); one !== undefined; one = free.pop()) {
      if (one.renderer.alive && one.orders < ORDERS_EACH) return one
      one.renderer.end()
      all.delete(one.renderer)
    }
    const renderer = attachRenderer(await start())
    all.add(renderer)
    return { renderer, orders: 0 }
  }

  function give(one: { renderer: Renderer; orders: number }): void {
    if (ended) one.renderer.end()
    free.push({ renderer: one.renderer, orders: one.orders + 1 })
    clearTimeout(rest)
    rest = setTimeout(() => free.length === all.size && end(), IDLE_MS)
    rest.unref()
  }

  return {
    /** Concurrent requests. */
    size,
    /** Aborting removes a request from the queue; one in progress is completed. */
    render: (
      order: RenderRequest,
      open: () => ReadableStream<Uint8Array>,
      { signal }: { signal: AbortSignal },
    ): Promise<Picture | Failure | Crashed> =>
      slots.run(
        EVERYBODY,
        async () => {
          const one = await take()
          try {
            return await one.renderer.render(order, open())
          } finally {
            give(one)
          }
        },
        { signal },
      ),
    end(): void {
      ended = true
      clearTimeout(rest)
      end()
    },
  }
}
