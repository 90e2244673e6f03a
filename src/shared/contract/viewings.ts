import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Looking at the files as somebody else. */
export const Viewing = z.object({
  /** It is a server of its own below `/view-as/ID`, which changes nothing: `/view-as/ID/api/resources/` is the person's tree. */
  id: z.string(),
  user: z.object({ id: z.number(), name: z.string() }),
  /** Milliseconds since 1970. */
  until: z.number(),
})
export type Viewing = z.infer<typeof Viewing>

/** An administrator who looked at the caller's files as the caller. */
export const PastViewing = z.object({ by: z.string(), from: z.number(), until: z.number() })
export type PastViewing = z.infer<typeof PastViewing>

export const viewings = {
  /**
   * Begins one, which ends any other of the same sign-in. It ends by itself. `forbidden` for an administrator, and for somebody whose folder is not in
   * the caller's own.
   */
  begin: endpoint('admin', 'POST /api/viewings', {
    body: z.strictObject({
      user: z.number().check(z.int(), z.positive(), z.maximum(2 ** 31 - 1)),
      current_password: z.optional(z.string()),
    }),
    result: Viewing,
  }),
  /** The caller's own, while it is open. */
  get: endpoint('user', 'GET /api/viewings/:id', { result: Viewing }),
  /** Ends the caller's own; one that has ended stays so. */
  end: endpoint('user', 'DELETE /api/viewings/:id', { result: 'empty' }),
  /** Who looked at the files as the caller, the newest first, for 90 days. */
  ofMe: endpoint('user', 'GET /api/viewings', { result: z.array(PastViewing) }),
}
