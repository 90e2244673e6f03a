import type { Running, Sandbox } from '../sandbox/sandbox.ts'
import { type FrameReader, headBytes, readFrames } from '../programs/frames.ts'
import { type Failure, type Crashed, MAX_INPUT_BYTES, type RenderRequest, type Picture, type Reply } from './picture.ts'
import { sandboxedProgram } from '../entries/entries.ts'
import { startProgram, drain } from '../programs/start-program.ts'

/** If a picture takes longer, it is given up and its process is ended. */
const MAX_MS = 20_000
const MAX_PICTURE_BYTES = 16 * 1024 ** 2

/** One rendering process; one request at a time. */
export type Renderer = ReturnType<typeof attachRenderer>

export function attachRenderer(running: Running) {
  const output: FrameReader = readFrames(running.stdout)
  let alive = true
  const end = (): void => {
    alive = false
    running.kill()
  }
  void running.ended.then(() => (alive = false))
  void drain(running.stderr)

  async function order(what: RenderRequest, bytes: ReadableStream<Uint8Array>): Promise<Picture | Failure> {
    await running.write(headBytes(what))
    let left = what.length
    for await (const chunk of bytes) {
      left -= chunk.length
      if (left < 0) break
      await running.write(chunk)
    }
    if (left !== 0) throw new Error('the file changed while it was read')
    const reply = parseReply(await output.head())
    if ('failure' in reply) return reply.failure
    return { type: reply.type, bytes: await output.body(reply.length) }
  }

  return {
    get alive(): boolean {
      return alive
    },
    async render(what: RenderRequest, bytes: ReadableStream<Uint8Array>): Promise<Picture | Failure | Crashed> {
      if (what.length > MAX_INPUT_BYTES) return 'too-large'
      const clock = setTimeout(end, MAX_MS)
      try {
        return await order(what, bytes)
      } catch {
        // It crashed or sent garbage: its picture is not shown, and it gets no more requests.
        end()
        return 'crashed'
      } finally {
        clearTimeout(clock)
      }
    },
    end,
  }
}

/** The process has read untrusted bytes, so its responses are validated like any input. */
function parseReply(reply: unknown): Reply {
  const { failure, type, length } = (typeof reply === 'object' && reply !== null ? reply : {}) as Record<string, unknown>
  if (failure === 'not-previewable' || failure === 'too-large') return { failure }
  const isSize = Number.isSafeInteger(length) && Number(length) >= 0 && Number(length) <= MAX_PICTURE_BYTES
  if ((type === 'image/jpeg' || type === 'image/webp') && isSize) return { type, length: Number(length) }
  throw new Error('no reply')
}

/** After a day the process is replaced. */
const DAY_SECONDS = 24 * 3600

export function startRenderer(sandbox: Sandbox): Promise<Running> {
  return startProgram(sandbox, {
    ...sandboxedProgram('render-program'),
    limits: { wallMs: DAY_SECONDS * 1000, cpuSeconds: DAY_SECONDS, fileSizeBytes: 64 * 1024 ** 2 },
  })
}
