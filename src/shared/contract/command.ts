import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * The subprotocol of our own panel. Without it the socket behaves as the predecessor's did: one message in, then one text frame for each line of
 * output, then the connection is closed.
 */
export const COMMAND_PROTOCOL = 'satchel.command'

/** Messages of the panel: first the line, later perhaps a request to stop. */
export const CommandRequest = z.union([z.object({ run: z.string() }), z.object({ stop: z.literal(true) })])
export type CommandRequest = z.infer<typeof CommandRequest>

/** Why a line was not run, or how the program was cut off. */
export const CommandEnding = z.enum([
  'exited',
  'not-allowed',
  'not-understood',
  'unavailable',
  'too-long',
  'too-much-output',
  'too-many-processes',
  'too-much-memory',
  'aborted',
])
export type CommandEnding = z.infer<typeof CommandEnding>

/** Messages to the panel: pieces of output in order, and last how the program ended. `exit` is null if it was killed. */
export const CommandMessage = z.union([
  z.object({ from: z.enum(['stdout', 'stderr']), text: z.string() }),
  z.object({ ended: CommandEnding, exit: z.nullable(z.number()) }),
])
export type CommandMessage = z.infer<typeof CommandMessage>

export const HookRun = z.object({
  id: z.string(),
  /** `after_upload` and so on. */
  event: z.string(),
  username: z.string(),
  /** The user's path. */
  path: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  attempts: z.number(),
  output: z.string(),
  /** Milliseconds since 1970. */
  created: z.number(),
  ended: z.nullable(z.number()),
})
export type HookRun = z.infer<typeof HookRun>

export const CommandState = z.object({
  enabled: z.boolean(),
  /** Why not although it is enabled, in English; null if it runs, or is disabled. */
  problem: z.nullable(z.string()),
  /** False if the operator accepted running without a sandbox. */
  boxed: z.boolean(),
  /** The latest hooks that ran after operations, newest first. */
  runs: z.array(HookRun),
})
export type CommandState = z.infer<typeof CommandState>

export const command = {
  /** An upgrade to a socket (RFC 6455). Refused before the upgrade without the right, from a foreign origin, and if nothing may run. */
  socket: endpoint('user', 'GET /api/command/*path', { needs: ['execute'], query: z.object({ auth: z.optional(z.string()) }) }),
  state: endpoint('admin', 'GET /api/commands', { result: CommandState }),
}
