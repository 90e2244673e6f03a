import { CUT_HEADER, NDJSON_MEDIA_TYPE, type SearchCut, type SearchHit, type SearchLine } from '../../shared/contract/search.ts'
import { within } from '../../shared/within.ts'

const HEARTBEAT_MS = 5000
/** How often progress is reported. */
const PROGRESS_MS = 250

/** The complete result as one array. */
export function respondArray({ hits, cut }: { hits: readonly SearchHit[]; cut: SearchCut | null }): Response {
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept' }
  if (cut !== null) headers[CUT_HEADER] = cut
  return new Response(JSON.stringify(hits), { headers })
}

export interface LinesOptions {
  /** Clients of 2.63 treat every line as a hit and expect no final line. */
  readonly form: 'ours' | 'old'
  /** The client disconnected. */
  readonly onLeave: () => void
  /** The search has ended, for whatever reason. */
  readonly onEnd: () => void
  readonly heartbeatMs?: number
  /** How many files were read so far; reported in our form. */
  readonly read?: () => number
}

/** One hit per line, sent as soon as it is found. The search runs independently, so that a slow reader does not prolong it. */
export function respondLines(hits: AsyncGenerator<SearchHit, SearchCut | null>, options: LinesOptions): Response {
  const { form, onLeave, onEnd, heartbeatMs = HEARTBEAT_MS, read = () => 0 } = options
  // The head of a response is sent with its first bytes.
  let text = form === 'ours' ? '\n' : ''
  let state: 'searching' | 'done' | { failure: unknown } = 'searching'
  let changed = Promise.withResolvers<void>()
  let told = { read: 0, at: performance.now() }
  const tell = (line: SearchLine): void => {
    text += `${JSON.stringify(line)}\n`
    changed.resolve()
  }

  const isQuiet = (): boolean => text === '' && state === 'searching'

  const hasProgress = (): boolean => form === 'ours' && read() > told.read && performance.now() - told.at >= PROGRESS_MS

  async function run(): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await hits.next()
        if (done !== true) tell(value)
        else {
          if (form === 'ours') tell({ end: true, cut: value })
          break
        }
      }
      state = 'done'
    } catch (failure) {
      state = { failure }
    } finally {
      onEnd()
      changed.resolve()
    }
  }
  void run()

  let isBegun = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const silentUntil = performance.now() + heartbeatMs
      while (isQuiet() && !hasProgress() && performance.now() < silentUntil)
        await within(changed.promise, form === 'ours' ? Math.min(heartbeatMs, PROGRESS_MS) : heartbeatMs)
      if (state === 'searching' && hasProgress()) {
        told = { read: read(), at: performance.now() }
        text += `${JSON.stringify({ read: told.read } satisfies SearchLine)}\n`
      }
      changed = state === 'searching' ? Promise.withResolvers() : changed
      const lines = text
      text = ''
      // A failure breaks off the response only after it has begun; before that, clients would take it for a response without hits (R8).
      if (lines !== '' || state === 'searching' || (typeof state === 'object' && !isBegun)) {
        isBegun = true
        controller.enqueue(new TextEncoder().encode(lines === '' ? '\n' : lines))
      } else if (state === 'done') controller.close()
      else controller.error(state.failure)
    },
    cancel: onLeave,
  })
  const mediaType = form === 'ours' ? NDJSON_MEDIA_TYPE : 'text/plain'
  return new Response(body, { headers: { 'content-type': `${mediaType}; charset=utf-8`, vary: 'Accept', 'x-accel-buffering': 'no' } })
}
