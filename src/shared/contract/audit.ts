import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What is kept in the trail; the order is that of the filter. */
export const AUDIT_KINDS = [
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'sign-up',
  'token-reused',
  'user-created',
  'user-changed',
  'user-removed',
  'settings-changed',
  'rules-changed',
  'hooks-changed',
  'webhooks-changed',
  'share-created',
  'share-changed',
  'share-removed',
  'trail-exported',
] as const
export const AuditKind = z.enum(AUDIT_KINDS)
export type AuditKind = z.infer<typeof AuditKind>

/** What became of one place of a record. Null where there was nothing, or where it is nobody's to read. */
export const AuditDetail = z.object({ place: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })
export type AuditDetail = z.infer<typeof AuditDetail>

export const AuditEntry = z.object({
  id: z.number(),
  /** Milliseconds since 1970. */
  time: z.number(),
  /** One of `AUDIT_KINDS`, or one that a newer server wrote before somebody went back to this one. */
  kind: z.string(),
  /** Who did it; empty for somebody unknown. */
  who: z.string(),
  /** The client's; `cli` for the command line, empty where nobody vouches for one. */
  address: z.string(),
  /** Whom or what it was done to: an account, a path. */
  subject: z.string(),
  details: z.array(AuditDetail),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const time = z.optional(z.string().check(z.regex(/^\d{1,15}$/)))
const words = z.optional(z.string().check(z.maxLength(200)))

/** Everything that is given must hold. */
const filter = {
  /** Part of a name. */
  who: words,
  kind: z.optional(AuditKind),
  /** Milliseconds since 1970; `until` is no longer in. */
  since: time,
  until: time,
  /** Part of anything that is shown. */
  text: words,
}

export const audit = {
  /** The latest first; `before` is the `next` of the page before. */
  list: endpoint({
    by: 'admin',
    needs: [],
    method: 'GET',
    path: '/api/audit',
    query: z.object({ ...filter, before: time, limit: z.optional(z.string().check(z.regex(/^\d{1,3}$/))) }),
    result: z.object({ entries: z.array(AuditEntry), next: z.nullable(z.number()) }),
  }),
  /** All of it as a file: CSV for a table, or one JSON object a line. */
  export: endpoint({
    by: 'admin',
    needs: [],
    method: 'GET',
    path: '/api/audit/export',
    query: z.object({ ...filter, format: z.enum(['csv', 'jsonl']) }),
    result: 'response',
  }),
}
