import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, OperationHeaders } from './operation.ts'
import { FileRights } from './rights.ts'
import { Sorting } from './users.ts'

export const FileType = z.enum(['image', 'audio', 'video', 'pdf', 'text', 'textImmutable', 'blob', 'invalid_link', ''])
export type FileType = z.infer<typeof FileType>

/** A node in the form of the predecessor. `type` is empty for folders. */
const nodeFields = {
  path: z.string(),
  name: z.string(),
  size: z.number(),
  extension: z.string(),
  modified: z.string(),
  mode: z.number(),
  isDir: z.boolean(),
  isSymlink: z.boolean(),
  type: FileType,
}

export const Item = z.object(nodeFields)
export type Item = z.infer<typeof Item>

export const Folder = z.object({
  items: z.array(Item),
  numDirs: z.number(),
  numFiles: z.number(),
  sorting: Sorting,
  kind: z.literal('listing'),
  ...nodeFields,
})
export type Folder = z.infer<typeof Folder>

export const File = z.object({
  ...nodeFields,
  subtitles: z.optional(z.array(z.string())),
  content: z.optional(z.string()),
  checksums: z.optional(z.record(z.string(), z.string())),
  /** In answers to requests for rows: what the viewer may do with it, where that is not what the account may. */
  rights: z.optional(FileRights),
})
export type File = z.infer<typeof File>

export const Resource = z.union([Folder, File])
export type Resource = z.infer<typeof Resource>

/** The index of a type in this list is its number in a compact listing. */
export const ROW_TYPES = [
  '',
  'image',
  'audio',
  'video',
  'pdf',
  'text',
  'textImmutable',
  'blob',
  'invalid_link',
] as const satisfies FileType[]

/** Columns of a listing. Their elements are not checked, because there may be a hundred thousand. */
export const Numbers = z.custom<number[]>((value) => Array.isArray(value))
export const Strings = z.custom<string[]>((value) => Array.isArray(value))

/** Requested in Accept: a folder as columns, in the user's saved order, folders first. */
export const ROWS_MEDIA_TYPE = 'application/vnd.satchel.rows+json'

/**
 * The same as a sequence of JSON texts (RFC 7464). For a long folder, the first text contains only its first rows, with the counts of the whole, and
 * the last one contains all of them; other folders and files come as for ROWS_MEDIA_TYPE.
 */
export const ROWS_SEQUENCE_MEDIA_TYPE = 'application/vnd.satchel.rows+json-seq'

export const Rows = z.object({
  kind: z.literal('rows'),
  path: z.string(),
  name: z.string(),
  modified: z.string(),
  sorting: Sorting,
  numDirs: z.number(),
  numFiles: z.number(),
  names: Strings,
  /** Bytes. */
  sizes: Numbers,
  /** Milliseconds since 1970. */
  modifieds: Numbers,
  /** Index into ROW_TYPES; plus ROW_FOLDER for folders, plus ROW_LINK for symbolic links. */
  types: Numbers,
  /** What the viewer may do in the folder, where grants say something about it; absent, it is what the account may. */
  rights: z.optional(FileRights),
  /** By name, of entries for which that differs. */
  rightsOf: z.optional(z.record(z.string(), FileRights)),
  /** Names of entries whose disks are not connected: nothing is known of what is in them. */
  away: z.optional(z.array(z.string())),
})
export type Rows = z.infer<typeof Rows>

export const ROW_FOLDER = 16
export const ROW_LINK = 32

export const CHECKSUMS = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type Checksum = (typeof CHECKSUMS)[number]

/**
 * The mtime of the uploaded file, in seconds since 1970 with up to three decimals: the header of the sync clients of ownCloud, Nextcloud and rclone.
 */
export const MTIME_HEADER = 'x-oc-mtime'

/** Of the answer to a deletion that can be restored: its id in the trash. */
export const TRASHED_HEADER = 'x-satchel-trashed'

const mtime = z.string().check(z.regex(/^-?\d{1,11}(\.\d{1,3})?$/))

export const RecursiveItem = z.object({ path: z.string(), name: z.string(), size: z.number(), modified: z.string(), isDir: z.boolean() })
export type RecursiveItem = z.infer<typeof RecursiveItem>

export const Usage = z.object({ total: z.number(), used: z.number() })

export const resources = {
  recursive: endpoint('user', 'GET /api/resources/recursive/*path', { result: z.array(RecursiveItem) }),
  rows: endpoint('user', 'GET /api/resources/*path', { accept: ROWS_MEDIA_TYPE, result: z.union([Rows, File]) }),
  rowsInParts: endpoint('user', 'GET /api/resources/*path', { accept: ROWS_SEQUENCE_MEDIA_TYPE }),
  get: endpoint('user', 'GET /api/resources/*path', {
    query: z.object({ checksum: z.optional(z.enum(CHECKSUMS)) }),
    headers: z.object({ 'x-encoding': z.optional(z.string()) }),
    result: Resource,
  }),
  upload: endpoint('user', 'POST /api/resources/*path', {
    needs: ['create'],
    query: z.object({ override: flag }),
    headers: z.extend(OperationHeaders, { [MTIME_HEADER]: z.optional(mtime) }),
    body: 'bytes',
  }),
  save: endpoint('user', 'PUT /api/resources/*path', {
    needs: ['modify'],
    headers: z.extend(OperationHeaders, { 'if-match': z.optional(z.string()) }),
    body: 'bytes',
  }),
  /** To the trash where there is one (then the answer has an OPERATION_HEADER), else or with `permanent` for good. */
  remove: endpoint('user', 'DELETE /api/resources/*path', {
    needs: ['delete'],
    query: z.object({ permanent: flag }),
    headers: OperationHeaders,
  }),
  transfer: endpoint('user', 'PATCH /api/resources/*path', {
    query: z.object({ action: z.enum(['copy', 'rename']), destination: z.string(), override: flag, rename: flag }),
    headers: OperationHeaders,
  }),
  usage: endpoint('user', 'GET /api/usage/*path', { result: Usage }),
  subtitle: endpoint('user', 'GET /api/subtitle/*path', { needs: ['download'], query: z.object({ inline: flag }) }),
}
