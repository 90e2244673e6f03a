import { respondStreamed } from '../http/bytes.ts'
import { within } from '../../shared/within.ts'

const HEARTBEAT_MS = 5000

export interface LinesOptions {
  readonly onLeave: () => void
  /** No more values follow, for whatever reason. */
  readonly onEnd: () => void
  readonly heartbeatMs?: number
}

/** One JSON value per line, produced no faster than it is read; an empty line now and then keeps the connection alive. */
export function respondLines(values: AsyncGenerator<unknown, void>, options: LinesOptions): Response {
  const { onLeave, onEnd, heartbeatMs = HEARTBEAT_MS } = options
  const close = async (): Promise<void> => {
    onLeave()
    onEnd()
    // An aborted step fails, and the rest is skipped.
    await values.return().catch(() => undefined)
  }
  return respondStreamed(textOf(values, heartbeatMs), {
    close,
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'x-accel-buffering': 'no' },
  })
}

async function* textOf(values: AsyncGenerator<unknown, void>, heartbeatMs: number): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for (let next = values.next(); ;) {
    const step = await within(next, heartbeatMs)
    if (step?.done === true) return
    yield encoder.encode(step === null ? '\n' : `${JSON.stringify(step.value)}\n`)
    if (step !== null) next = values.next()
  }
}
