import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { File, Folder, Rows, ROWS_MEDIA_TYPE, ROWS_SEQUENCE_MEDIA_TYPE } from './resources.ts'
import { DropTerms, ShareRights } from './shares.ts'
import { Announcing, Appending } from './tus.ts'

/** Percent-encoded, because a header cannot contain other characters. */
const Password = z.object({ 'x-share-password': z.optional(z.string()) })

/**
 * A ticket for one share whose password the visitor gave: old clients send it as `token`, our web application has it in a cookie, so that it cannot
 * be copied from an address (GHSA-3v48-283x-f2w4).
 */
const ticket = z.optional(z.string())

/** Changes require the ticket in a header: a cookie would also be sent for pages of other origins. */
const Unsafe = z.object({ ...Password.shape, 'x-share-ticket': z.optional(z.string()) })

/** Only for links with a password or a limit. */
const token = z.optional(z.string())

/** The terms of a link that visitors may see. */
export const SharedLink = z.object({
  title: z.string(),
  message: z.string(),
  rights: ShareRights,
  /** As far as the owner may. */
  may: z.object({ create: z.boolean(), rename: z.boolean(), delete: z.boolean() }),
  /** Seconds since 1970; 0 for ever. */
  expires: z.number(),
  limited: z.boolean(),
  /** What the drop box still accepts: remaining files and bytes; null if there is no limit, or no drop box. */
  drop: z.nullable(z.object({ ...DropTerms.shape, maxFiles: z.nullable(z.number()), maxBytes: z.nullable(z.number()) })),
})
export type SharedLink = z.infer<typeof SharedLink>

const visitor = { token, link: z.optional(SharedLink) }

export const SharedRows = z.object({ ...Rows.shape, ...visitor })
export type SharedRows = z.infer<typeof SharedRows>
export const SharedFolder = z.object({ ...Folder.shape, ...visitor })
export const SharedFile = z.object({ ...File.shape, ...visitor })
export type SharedFile = z.infer<typeof SharedFile>
/** An empty folder: what clients without support for drop boxes see. */
export const SharedDrop = z.object({ ...Folder.shape, kind: z.literal('drop'), token, link: SharedLink })
export type SharedDrop = z.infer<typeof SharedDrop>
export const SharedResource = z.union([SharedFolder, SharedDrop, SharedFile])
export type SharedResource = z.infer<typeof SharedResource>

/** Calls of a visitor with a link. 401 asks for the password; a link that has ended is the same 404 as one that never existed. */
export const shared = {
  rowsInParts: endpoint('anyone', 'GET /api/public/share/:hash/*path', {
    accept: ROWS_SEQUENCE_MEDIA_TYPE,
    query: z.object({ token: ticket }),
    headers: Password,
  }),
  rows: endpoint('anyone', 'GET /api/public/share/:hash/*path', {
    accept: ROWS_MEDIA_TYPE,
    query: z.object({ token: ticket }),
    headers: Password,
    result: z.union([SharedRows, SharedDrop, SharedFile]),
  }),
  open: endpoint('anyone', 'GET /api/public/share/:hash/*path', {
    query: z.object({ token: ticket }),
    headers: Password,
    result: SharedResource,
  }),
  download: endpoint('anyone', 'GET /api/public/dl/:hash/*path', {
    query: z.object({
      inline: z.optional(z.string()),
      algo: z.optional(z.string()),
      files: z.optional(z.union([z.string(), z.array(z.string())])),
      token: ticket,
      k: z.optional(z.string()),
    }),
    headers: Password,
  }),
  /** A picture of a file, as with `previews.get`. */
  preview: endpoint('anyone', 'GET /api/public/preview/:size/:hash/*path', {
    query: z.object({ inline: z.optional(z.string()), k: z.optional(z.string()), key: z.optional(z.string()), token: ticket }),
    headers: Password,
  }),
  subtitle: endpoint('anyone', 'GET /api/public/subtitle/:hash/*path', {
    query: z.object({ inline: z.optional(z.string()), token: ticket }),
    headers: Password,
  }),
  /** Renames within a folder, for links that allow changes. */
  rename: endpoint('anyone', 'PATCH /api/public/file/:hash/*path', { headers: Unsafe, body: z.object({ name: z.string() }) }),
  remove: endpoint('anyone', 'DELETE /api/public/file/:hash/*path', { headers: Unsafe }),
}

/**
 * Uploads of visitors, by tus 1.0.0. `upload` is a secret chosen by the client, 22 to 64 characters of base64url: whoever knows it can continue the
 * upload, and nobody else. The path is the requested name or path inside the share; a taken name gets a number.
 */
export const sent = {
  options: endpoint('anyone', 'OPTIONS /api/public/tus/:hash/:upload/*path'),
  create: endpoint('anyone', 'POST /api/public/tus/:hash/:upload/*path', { headers: z.object({ ...Unsafe.shape, ...Announcing.shape }) }),
  offset: endpoint('anyone', 'HEAD /api/public/tus/:hash/:upload/*path', { headers: Unsafe }),
  append: endpoint('anyone', 'PATCH /api/public/tus/:hash/:upload/*path', {
    headers: z.object({ ...Unsafe.shape, ...Appending.shape }),
    body: 'bytes',
  }),
  cancel: endpoint('anyone', 'DELETE /api/public/tus/:hash/:upload/*path', { headers: Unsafe }),
}
