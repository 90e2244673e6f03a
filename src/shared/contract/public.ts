import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { File, Folder, Rows, ROWS_MEDIA_TYPE } from './resources.ts'

/** Percent-encoded, because a header holds no other letters (contract reference 1.18). */
const Password = z.object({ 'x-share-password': z.optional(z.string()) })

/**
 * A ticket for one share, of which the visitor showed the password: old clients give it as `token`, our own web has it as a cookie
 * that nobody can copy from an address (GHSA-3v48-283x-f2w4).
 */
const ticket = z.optional(z.string())

/** Only for links with a password. */
const token = z.optional(z.string())

export const SharedFolder = z.object({ ...Folder.shape, token })
export const SharedFile = z.object({ ...File.shape, token })
export type SharedFile = z.infer<typeof SharedFile>
export const SharedResource = z.union([SharedFolder, SharedFile])
export type SharedResource = z.infer<typeof SharedResource>

/** What a visitor with a link may do. 401 asks for the password; a link that ended is the same 404 as one that never was (decision 8). */
export const shared = {
  rows: endpoint({
    by: 'anyone',
    needs: [],
    method: 'GET',
    path: '/api/public/share/:hash/*path',
    accept: ROWS_MEDIA_TYPE,
    query: z.object({ token: ticket }),
    headers: Password,
    result: z.union([Rows, SharedFile]),
  }),
  open: endpoint({
    by: 'anyone',
    needs: [],
    method: 'GET',
    path: '/api/public/share/:hash/*path',
    query: z.object({ token: ticket }),
    headers: Password,
    result: SharedResource,
  }),
  download: endpoint({
    by: 'anyone',
    needs: [],
    method: 'GET',
    path: '/api/public/dl/:hash/*path',
    query: z.object({
      inline: z.optional(z.string()),
      algo: z.optional(z.string()),
      files: z.optional(z.union([z.string(), z.array(z.string())])),
      token: ticket,
      k: z.optional(z.string()),
    }),
    headers: Password,
    result: 'response',
  }),
  /** A picture of a file, as `previews.get` makes one. */
  preview: endpoint({
    by: 'anyone',
    needs: [],
    method: 'GET',
    path: '/api/public/preview/:size/:hash/*path',
    query: z.object({ inline: z.optional(z.string()), k: z.optional(z.string()), key: z.optional(z.string()), token: ticket }),
    headers: Password,
    result: 'response',
  }),
  subtitle: endpoint({
    by: 'anyone',
    needs: [],
    method: 'GET',
    path: '/api/public/subtitle/:hash/*path',
    query: z.object({ inline: z.optional(z.string()), token: ticket }),
    headers: Password,
    result: 'response',
  }),
}
