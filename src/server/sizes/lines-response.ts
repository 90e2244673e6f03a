import { respondStreamed } from '../http/bytes.ts'
import { within } from '../../shared/within.ts'

const HEARTBEAT_MS = 5000

export interface LinesOptions {
  /** The client left. */
  readonly onLeave: () => void
  /** Nothing more is begun, whatever the reason. */
  readonly onEnd: () => void
  readonly heartbeatMs?: number
}

/** One JSON value a line, made no faster than it is read; an empty line now and then says that there is somebody. */
export function respondLines(values: AsyncGenerator<unknown, void>, options: LinesOptions): Response {
  const { onLeave, onEnd, heartbeatMs = HEARTBEAT_MS } = options
  const close = async (): Promise<void> => {
    onLeave()
    onEnd()
    // A step that was called off fails, and the rest is not done.
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
