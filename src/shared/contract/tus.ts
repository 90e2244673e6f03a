import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OperationHeaders } from './operation.ts'

/** tus 1.0.0. The address of an upload is the path of the future file, and its name among the uploads to that path. */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'expiration', 'termination'] as const
/** Bytes; the maximum of `Upload-Length` with fifteen digits. */
export const TUS_MAX_SIZE = 999_999_999_999_999
export const OFFSET_MEDIA_TYPE = 'application/offset+octet-stream'

/** A file that the user began to upload and has not finished. */
export const Unfinished = z.object({
  path: z.string(),
  /** Its name among the uploads to that path. */
  upload: z.string(),
  /** Total bytes, and those received. */
  length: z.number(),
  offset: z.number(),
  /** Upload-Metadata, unchanged: by it the client recognises its file. */
  stamp: z.string(),
  /** Milliseconds since 1970: when it is removed, unless it is continued. */
  expires: z.number(),
  /** Bytes are arriving, or were a moment ago. */
  active: z.boolean(),
})
export type Unfinished = z.infer<typeof Unfinished>

/** The client's name for the upload, or the one it got in `Location`. Without it only the path identifies the upload, as with the predecessor. */
const Named = z.object({ upload: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{0,64}$/))) })

const count = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number))

/** Announces a file: its length in bytes, and the client's metadata. */
export const Announcing = z.object({ 'upload-length': count, 'upload-metadata': z.optional(z.string()) })
export const Appending = z.object({ 'upload-offset': z.optional(z.string()), 'content-type': z.optional(z.string()) })

export const tus = {
  options: endpoint('anyone', 'OPTIONS /api/tus/*path'),
  create: endpoint('user', 'POST /api/tus/*path', {
    needs: ['create'],
    query: z.extend(Named, { override: z.optional(z.string()) }),
    headers: z.extend(Announcing, OperationHeaders.shape),
  }),
  offset: endpoint('user', 'HEAD /api/tus/*path', { needs: ['create'], query: Named }),
  append: endpoint('user', 'PATCH /api/tus/*path', {
    needs: ['create'],
    query: Named,
    headers: z.extend(Appending, OperationHeaders.shape),
    body: 'bytes',
  }),
  /** The user's own, the newest first, a thousand at most. */
  unfinished: endpoint('user', 'GET /api/uploads', { needs: ['create'], result: z.array(Unfinished) }),
  cancel: endpoint('user', 'DELETE /api/tus/*path', { needs: ['create'], query: Named }),
}
