import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** `invitation`: a new account; `reset`: another password; `address`: confirms an address for mail. */
export const LINK_KINDS = ['invitation', 'reset', 'address'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

const Secret = z.object({ secret: z.string().check(z.regex(/^[\w-]{43}$/)) })

/** Links that work once, for anybody who has them. The secret is the fragment of their address, which browsers send to nobody. */
export const passwordLinks = {
  /** For another user: the person who opens it chooses a password. With `mail` it is sent as well. */
  create: endpoint('admin', 'POST /api/users/:id/password-link', {
    body: z.object({ mail: z.boolean(), current_password: z.optional(z.string()) }),
    /** `expires` in milliseconds since 1970. */
    result: z.object({ secret: z.string(), expires: z.number(), mailedTo: z.nullable(z.string()) }),
  }),
  /** Somebody has forgotten a password: sends a link if there is such an account with an address. Answers the same in any case. */
  ask: endpoint('anyone', 'POST /api/password-link/ask', {
    body: z.object({ username: z.string().check(z.maxLength(1024)), locale: z.optional(z.string().check(z.maxLength(20))) }),
    result: 'empty',
  }),
  /** What a link is for. Fails with `not-found` if it was used, has expired or never existed. */
  read: endpoint('anyone', 'POST /api/password-link/read', {
    body: Secret,
    result: z.object({ kind: z.enum(LINK_KINDS), username: z.string(), address: z.string(), minimumPasswordLength: z.number() }),
  }),
  /** Sets the password, which ends all sessions of the account and all its links, or confirms the address. */
  use: endpoint('anyone', 'POST /api/password-link', { body: z.extend(Secret, { password: z.optional(z.string()) }), result: 'empty' }),
}
