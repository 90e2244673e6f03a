import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A link as its owner and administrators see it: no hash of a password, no ticket (GHSA-833g-cqhp-h72j). */
export const Share = z.object({
  /** Eight characters; with the address of the product it is the link. */
  hash: z.string(),
  /** What is shared, as its owner sees it today; a folder's ends with a slash. */
  path: z.string(),
  userID: z.number(),
  /** Seconds since 1970; 0 for a link that stays. */
  expire: z.number(),
  hasPassword: z.boolean(),
})
export type Share = z.infer<typeof Share>

export const SHARE_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const
export type ShareUnit = (typeof SHARE_UNITS)[number]

/** As existing clients send it: `expires` a number or its digits, an unknown unit means hours (contract reference 1.17). */
export const ShareWish = z.object({
  password: z.optional(z.nullable(z.string())),
  expires: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  unit: z.optional(z.nullable(z.string())),
})
export type ShareWish = z.infer<typeof ShareWish>

export const shares = {
  /** The caller's own; for an administrator everybody's. Permanent ones first, then by expiry. */
  mine: endpoint({ by: 'user', needs: ['share'], method: 'GET', path: '/api/shares', result: z.array(Share) }),
  /** Those of one node; for an administrator of whoever shared it. */
  ofPath: endpoint({ by: 'user', needs: ['share'], method: 'GET', path: '/api/share/*path', result: z.array(Share) }),
  /** The body, JSON or nothing at all, wins over the query (decision 16). */
  create: endpoint({
    by: 'user',
    needs: ['share'],
    method: 'POST',
    path: '/api/share/*path',
    query: z.object({ expires: z.optional(z.string()), unit: z.optional(z.string()) }),
    body: 'bytes',
    result: Share,
  }),
  remove: endpoint({ by: 'user', needs: ['share'], method: 'DELETE', path: '/api/share/:hash', result: 'response' }),
}
