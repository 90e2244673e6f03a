import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A program that waits for its person to sign in by a browser. */
export const AppSignIn = z.object({
  /** What the program calls itself: anybody can call themselves anything. */
  client: z.string(),
  /** From which it began; empty if that is not known. */
  address: z.string(),
  /** Milliseconds since 1970. */
  begun: z.number(),
})
export type AppSignIn = z.infer<typeof AppSignIn>

/** Sign-ins that sync clients begin, and that a person allows by the page whose address the client opens. */
export const appSignIns = {
  /** Fails with `not-found` for one that has ended, or was allowed already. */
  read: endpoint('user', 'GET /api/app-sign-ins/:id', { result: AppSignIn }),
  /**
   * Gives the program an API token of the caller for all of their files. Needs a recent proof of identity: the caller's own password as
   * `current_password`.
   */
  allow: endpoint('user', 'POST /api/app-sign-ins/:id', {
    body: z.strictObject({ current_password: z.optional(z.string()) }),
    result: 'empty',
  }),
  /** The program has to begin again. */
  refuse: endpoint('user', 'DELETE /api/app-sign-ins/:id', { result: 'empty' }),
}
