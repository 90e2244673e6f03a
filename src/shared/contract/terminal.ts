import * as z from 'zod/mini'
import { CommandEnding } from './command.ts'
import { endpoint } from './endpoint.ts'

export const TERMINAL_PROTOCOL = 'satchel.terminal'

const Size = z.object({
  columns: z.int().check(z.minimum(1), z.maximum(1000)),
  rows: z.int().check(z.minimum(1), z.maximum(1000)),
})
export type TerminalSize = z.infer<typeof Size>

/** Messages of the panel: first a request to start, then typed input, each new size, and how many bytes of output it has shown. */
export const TerminalRequest = z.union([
  z.object({ start: Size }),
  z.object({ type: z.string() }),
  z.object({ size: Size }),
  z.object({ seen: z.int().check(z.minimum(1)) }),
])
export type TerminalRequest = z.infer<typeof TerminalRequest>

/** Nothing was typed for too long. */
export const TerminalEnding = z.enum([...CommandEnding.options, 'idle'])
export type TerminalEnding = z.infer<typeof TerminalEnding>

/** The last frame, and the only text frame: output is sent unchanged, in binary frames, and waits if too little of it has been shown. */
export const TerminalMessage = z.object({ ended: TerminalEnding, exit: z.nullable(z.number()) })
export type TerminalMessage = z.infer<typeof TerminalMessage>

/** Maximum output in flight, in bytes; `seen` acknowledges it. */
export const TERMINAL_WINDOW_BYTES = 256 * 1024

export const terminal = {
  /**
   * An upgrade to a socket (RFC 6455), for users who may run a shell. Refused before the upgrade without the right, from a foreign origin, without a
   * shell in the user's list, and without a sandbox.
   */
  socket: endpoint('user', 'GET /api/terminal/*path', { needs: ['execute'] }),
}
