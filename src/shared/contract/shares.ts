import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What a visitor may do, never more than the owner may: view pictures; also download; also edit; or only upload, and see nothing (a drop box). */
export const SHARE_RIGHTS = ['view', 'download', 'edit', 'drop'] as const
export const ShareRights = z.enum(SHARE_RIGHTS)
export type ShareRights = z.infer<typeof ShareRights>

/** Limits of a drop box: bytes and counts, 0 for no limit. */
export const DropTerms = z.object({
  /** Of one file. */
  maxFile: z.number(),
  maxFiles: z.number(),
  /** Of all files together. */
  maxBytes: z.number(),
  /** Suffixes without dot; empty for every type of file. */
  types: z.array(z.string()),
})
export type DropTerms = z.infer<typeof DropTerms>

/** A link as its owner and administrators see it: without password hash and tickets (GHSA-833g-cqhp-h72j). */
export const Share = z.object({
  /** Eight characters; appended to the base URL, it is the link. */
  hash: z.string(),
  /** The shared path, as its owner sees it today; for a folder, it ends with a slash. */
  path: z.string(),
  userID: z.number(),
  /** Seconds since 1970; 0 for a permanent link. */
  expire: z.number(),
  hasPassword: z.boolean(),
  /** Another name of the link, which opens it as well; empty if there is none. */
  slug: z.string(),
  /** Shown to visitors, as text. */
  title: z.string(),
  message: z.string(),
  rights: ShareRights,
  /** Seconds since 1970; 0 for immediately. */
  starts: z.number(),
  /** 0 for unlimited. */
  maxDownloads: z.number(),
  /** Counted if there is a limit. */
  downloads: z.number(),
  /** Whether visits and downloads are recorded with time and address. */
  logVisits: z.boolean(),
  drop: DropTerms,
  /** What has been uploaded into a drop box. */
  received: z.object({ files: z.number(), bytes: z.number() }),
  /** Opens nothing, because what was shared is not at its path any more; a later file there does not count. */
  broken: z.boolean(),
  /** Opens nothing, because what was shared is in the trash; it opens it again once that is restored. `broken` as well. */
  inTrash: z.boolean(),
})
export type Share = z.infer<typeof Share>

export const SHARE_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const
export type ShareUnit = (typeof SHARE_UNITS)[number]
export const SHARE_UNIT_SECONDS: Record<ShareUnit, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

/** Fields that existing clients do not know and do not send. */
const options = {
  slug: z.optional(z.string()),
  title: z.optional(z.string()),
  message: z.optional(z.string()),
  rights: z.optional(ShareRights),
  starts: z.optional(z.number()),
  maxDownloads: z.optional(z.number()),
  logVisits: z.optional(z.boolean()),
  drop: z.optional(DropTerms),
}

/** As existing clients send it: `expires` is a number or its digits, an unknown unit means hours. */
export const ShareInput = z.object({
  password: z.optional(z.nullable(z.string())),
  expires: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  unit: z.optional(z.nullable(z.string())),
  ...options,
})
export type ShareInput = z.infer<typeof ShareInput>

/** Changes of a link, at least one: absent fields are kept. An empty password removes it, a duration counts from now. */
export const ShareChange = z
  .strictObject({
    password: z.optional(z.string()),
    expires: z.optional(z.union([z.string(), z.number()])),
    unit: z.optional(z.string()),
    ...options,
  })
  .check(z.refine((change) => Object.keys(change).length > 0, 'nothing to change'))
export type ShareChange = z.infer<typeof ShareChange>

export const SHARE_VISIT_KINDS = ['visit', 'download', 'upload', 'rename', 'delete'] as const

export const ShareVisit = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  kind: z.enum(SHARE_VISIT_KINDS),
  /** Empty if the owner does not record addresses. */
  address: z.string(),
  /** Relative to the shared node; empty for all of it. */
  path: z.string(),
  /** The sender's name for an upload into a drop box. */
  sender: z.string(),
  note: z.string(),
})
export type ShareVisit = z.infer<typeof ShareVisit>

export const shares = {
  /** The caller's own, for an administrator everybody's, also those to what is in the trash. Permanent ones first, then by expiry. */
  mine: endpoint('user', 'GET /api/shares', { needs: ['share'], result: z.array(Share) }),
  /** Links to one node, without those to an earlier one at its path; for an administrator whoever shared it. */
  ofPath: endpoint('user', 'GET /api/share/*path', { needs: ['share'], result: z.array(Share) }),
  /** The body, JSON or empty, takes precedence over the query. */
  create: endpoint('user', 'POST /api/share/*path', {
    needs: ['share'],
    query: z.object({ expires: z.optional(z.string()), unit: z.optional(z.string()) }),
    body: 'bytes',
    result: Share,
  }),
  change: endpoint('user', 'PATCH /api/shares/:hash', { needs: ['share'], body: ShareChange, result: Share }),
  /** The newest first, a thousand at most. */
  visits: endpoint('user', 'GET /api/shares/:hash/visits', { needs: ['share'], result: z.array(ShareVisit) }),
  remove: endpoint('user', 'DELETE /api/share/:hash', { needs: ['share'] }),
}
