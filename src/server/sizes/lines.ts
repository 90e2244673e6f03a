const HEARTBEAT_MS = 5000

export interface LinesOptions {
  /** The client left. */
  readonly onLeave: () => void
  /** Nothing more is done, whatever the reason. */
  readonly onEnd: () => void
  readonly heartbeatMs?: number
}

/** One JSON value a line, made no faster than it is read; an empty line now and then says that there is somebody. */
export function respondLines(values: AsyncGenerator<unknown, void>, options: LinesOptions): Response {
  const { onLeave, onEnd, heartbeatMs = HEARTBEAT_MS } = options
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<unknown, void>> | null = null
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        next ??= values.next()
        const step = await within(heartbeatMs, next)
        if (step !== null) next = null
        if (step?.done !== true) return controller.enqueue(encoder.encode(step === null ? '\n' : `${JSON.stringify(step.value)}\n`))
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      onEnd()
    },
    async cancel() {
      onLeave()
      // A step that was called off fails, and the rest is not done.
      await next?.catch(() => undefined)
      await values.return()
      onEnd()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'x-accel-buffering': 'no' } })
}

/** What comes, or null after `ms`. */
async function within<T>(ms: number, coming: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}
