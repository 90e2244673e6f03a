import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Kinds of audit events, in the order of the filter. */
export const AUDIT_KINDS = [
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'sign-up',
  'token-reused',
  'api-token-created',
  'api-token-used',
  'api-token-removed',
  'user-created',
  'user-changed',
  'user-removed',
  'user-handed-over',
  'factors-changed',
  'settings-changed',
  'rules-changed',
  'groups-changed',
  'access-changed',
  'viewed-as',
  'quota-changed',
  'hooks-changed',
  'webhooks-changed',
  'providers-changed',
  'share-created',
  'share-changed',
  'share-removed',
  'people-share-created',
  'people-share-changed',
  'people-share-removed',
  'trash-removed',
  'trash-emptied',
  'version-removed',
  'trail-exported',
] as const
export const AuditKind = z.enum(AUDIT_KINDS)
export type AuditKind = z.infer<typeof AuditKind>

/** The change of one field of a record. Null if there was no value, or it is secret. */
export const AuditDetail = z.object({ place: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })
export type AuditDetail = z.infer<typeof AuditDetail>

export const AuditEntry = z.object({
  id: z.number(),
  /** Milliseconds since 1970. */
  time: z.number(),
  /** One of `AUDIT_KINDS`, or one that a newer server wrote before a downgrade. */
  kind: z.string(),
  /** The user who did it; empty if unknown. */
  who: z.string(),
  /** The client's address; `cli` for the command line, empty if unknown. */
  address: z.string(),
  /** The account or path that it was done to. */
  subject: z.string(),
  details: z.array(AuditDetail),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const time = z.optional(z.string().check(z.regex(/^\d{1,15}$/)))
const words = z.optional(z.string().check(z.maxLength(200)))

const filter = {
  who: words,
  kind: z.optional(AuditKind),
  /** Milliseconds since 1970; `until` is exclusive. */
  since: time,
  until: time,
  text: words,
}

export const audit = {
  /** The latest first; `before` is the `next` of the previous page. */
  list: endpoint('admin', 'GET /api/audit', {
    query: z.object({ ...filter, before: time, limit: z.optional(z.string().check(z.regex(/^\d{1,3}$/))) }),
    result: z.object({ entries: z.array(AuditEntry), next: z.nullable(z.number()) }),
  }),
  /** The whole trail as a file: CSV for spreadsheets, or one JSON object per line. */
  export: endpoint('admin', 'GET /api/audit/export', { query: z.object({ ...filter, format: z.enum(['csv', 'jsonl']) }) }),
}
