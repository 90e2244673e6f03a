import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag } from './operation.ts'
import { Permissions } from './users.ts'

/** Of one user. */
export const MAX_API_TOKENS = 100
export const MAX_API_TOKEN_NAME_CHARS = 100

/** An API token without its secret. Times are milliseconds since 1970. */
export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  /** Whose it is. */
  userID: z.number(),
  username: z.string(),
  /** What it may do, as far as its user may at that moment. */
  perm: Permissions,
  /** The only part of the user's tree that it reaches; `/` for all of it. */
  folder: z.string(),
  created: z.number(),
  /** Name of the user who made it, at that time; empty for the command line. */
  createdBy: z.string(),
  /** Null: never. */
  expires: z.nullable(z.number()),
  /** Recorded at most once a minute; null if it was never used. */
  lastUsed: z.nullable(z.number()),
  /** Empty if it was never used, or the address is not known. */
  lastAddress: z.string(),
})
export type ApiToken = z.infer<typeof ApiToken>

/** An absent right is not granted. */
export const ApiTokenInput = z.strictObject({
  name: z.string(),
  perm: z.partial(Permissions),
  folder: z._default(z.string(), '/'),
  /** Milliseconds since 1970; null for never. */
  expires: z._default(z.nullable(z.number()), null),
})
export type ApiTokenInput = z.infer<typeof ApiTokenInput>

const MadeApiToken = z.extend(ApiToken, {
  /** The secret, sent this once. */
  token: z.string(),
})

/** Tokens that programs send instead of signing in. No token may call these. */
export const tokens = {
  /** The caller's own, the newest first; for administrators those of one user, or with `all` everybody's. */
  list: endpoint('user', 'GET /api/tokens', {
    query: z.object({ all: flag, user: z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/))) }),
    result: z.array(ApiToken),
  }),
  /** Needs a recent proof of identity: the caller's own password as `current_password`. */
  create: endpoint('user', 'POST /api/tokens', {
    body: z.extend(ApiTokenInput, { current_password: z.optional(z.string()) }),
    result: MadeApiToken,
  }),
  /** Revokes it at once. An administrator may revoke everybody's; to others, somebody else's is `not-found`. */
  remove: endpoint('user', 'DELETE /api/tokens/:id', { result: 'empty' }),
}
