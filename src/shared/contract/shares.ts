import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * What a visitor may do behind a link, never more than its owner may: see pictures of it; take it along as well; change it as well; or only
 * put something in, and see nothing (a drop box).
 */
export const SHARE_RIGHTS = ['view', 'download', 'edit', 'drop'] as const
export const ShareRights = z.enum(SHARE_RIGHTS)
export type ShareRights = z.infer<typeof ShareRights>

/** What a drop box takes: bytes and counts, 0 where there is no limit. */
export const DropTerms = z.object({
  /** Of one file. */
  maxFile: z.number(),
  maxFiles: z.number(),
  /** Of all files together. */
  maxBytes: z.number(),
  /** Suffixes without dot; none for every kind of file. */
  types: z.array(z.string()),
})
export type DropTerms = z.infer<typeof DropTerms>

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
  /** Another name of the link, which opens it just like the hash; empty where there is none. */
  slug: z.string(),
  /** Shown to visitors, as text. */
  title: z.string(),
  message: z.string(),
  rights: ShareRights,
  /** Seconds since 1970; 0 for at once. */
  starts: z.number(),
  /** 0 for as many as there come. */
  maxDownloads: z.number(),
  /** Counted where there is a limit. */
  downloads: z.number(),
  /** Whether visits and downloads are noted with time and address. */
  logVisits: z.boolean(),
  drop: DropTerms,
  /** What came into a drop box so far. */
  received: z.object({ files: z.number(), bytes: z.number() }),
})
export type Share = z.infer<typeof Share>

export const SHARE_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const
export type ShareUnit = (typeof SHARE_UNITS)[number]
export const SHARE_UNIT_SECONDS: Record<ShareUnit, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

/** What existing clients do not know and so do not say. */
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

/** As existing clients send it: `expires` a number or its digits, an unknown unit means hours. */
export const ShareInput = z.object({
  password: z.optional(z.nullable(z.string())),
  expires: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  unit: z.optional(z.nullable(z.string())),
  ...options,
})
export type ShareInput = z.infer<typeof ShareInput>

/** What of a link is to be another, one thing at least: what is not said stays. An empty password is none, a duration counts from now. */
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

/** Something that came of a link. */
export const ShareVisit = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  kind: z.enum(SHARE_VISIT_KINDS),
  /** Empty where the owner does not want to know. */
  address: z.string(),
  /** From the shared node; empty for all of it. */
  path: z.string(),
  /** As whoever sent a file into a drop box signed it. */
  sender: z.string(),
  note: z.string(),
})
export type ShareVisit = z.infer<typeof ShareVisit>

export const shares = {
  /** The caller's own; for an administrator everybody's. Permanent ones first, then by expiry. */
  mine: endpoint({ by: 'user', needs: ['share'], method: 'GET', path: '/api/shares', result: z.array(Share) }),
  /** Those of one node; for an administrator of whoever shared it. */
  ofPath: endpoint({ by: 'user', needs: ['share'], method: 'GET', path: '/api/share/*path', result: z.array(Share) }),
  /** The body, JSON or nothing at all, wins over the query. */
  create: endpoint({
    by: 'user',
    needs: ['share'],
    method: 'POST',
    path: '/api/share/*path',
    query: z.object({ expires: z.optional(z.string()), unit: z.optional(z.string()) }),
    body: 'bytes',
    result: Share,
  }),
  change: endpoint({ by: 'user', needs: ['share'], method: 'PATCH', path: '/api/shares/:hash', body: ShareChange, result: Share }),
  /** The newest first, a thousand at most. */
  visits: endpoint({ by: 'user', needs: ['share'], method: 'GET', path: '/api/shares/:hash/visits', result: z.array(ShareVisit) }),
  remove: endpoint({ by: 'user', needs: ['share'], method: 'DELETE', path: '/api/share/:hash', result: 'response' }),
}
