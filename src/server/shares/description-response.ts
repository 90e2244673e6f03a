import type { SharedLink } from '../../shared/contract/public.ts'
import { fail } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import { respondJson } from '../files/encoding.ts'
import { respondFolder, respondFolderInParts } from '../files/folder-response.ts'
import type { FolderWriter } from '../files/folder-writer.ts'
import { describeFile, sniffedType } from '../files/listing.ts'
import { findSubtitles } from '../files/subtitle-search.ts'
import type { Visit } from './visit.ts'

/** Names A to Z, folders first; the predecessor's API calls that descending. */
const SORTING = { by: 'name', asc: false } as const

export interface DescriptionOrder {
  readonly path: FilePath
  /** Whether the address ended with a slash. */
  readonly slash: boolean
  /** `parts`: rows, with the first rows of a long folder sent early (decision 016). */
  readonly form: 'rows' | 'items' | 'parts'
  readonly request: Request
  /** Whether the response stays on this machine. */
  readonly local: boolean
  /** Identifies the client: long folders alternate between clients. */
  readonly clientKey: string
}

/** Describes a path behind a link, and the terms of the link. For a drop box the terms are all there is to know. */
export async function respondDescribed(
  { writer }: { writer: FolderWriter },
  visit: Visit,
  { path, slash, form, request, local, clientKey }: DescriptionOrder,
): Promise<Response> {
  const { drive, name, share, ticket } = visit
  const terms = { link: linkOf(visit, path), ...(ticket === null ? {} : { token: ticket }) }
  const json = (value: unknown): Promise<Response> =>
    respondJson({ bytes: new TextEncoder().encode(JSON.stringify(value)), mediaType: 'application/json', request, local })
  if (share.rights === 'drop') return path === ROOT ? json({ ...NOTHING, sorting: SORTING, ...terms }) : fail('not-found', {})
  const entry = path === ROOT ? { ...visit.entry, name } : await drive.stat(path)
  if (entry.stat.kind !== 'folder') {
    const asked = share.folder ? path : ''
    const type = await sniffedType(visit.pictures, entry)
    // Files beside a shared file are not shared.
    const hasSubtitles = share.folder && share.rights !== 'view' && share.maxDownloads === 0 && type === 'video'
    const subtitles = hasSubtitles ? await findSubtitles(drive, path, { signal: request.signal }) : []
    return json({ ...describeFile(entry, { asked, type }), ...(subtitles.length === 0 ? {} : { subtitles }), ...terms })
  }
  const asked = slash && path !== ROOT ? `${path}/` : path
  const input = { request, local, clientKey, writer, sorting: SORTING, asked, typeDetectionByHeader: false, more: terms }
  if (form === 'parts') return respondFolderInParts(drive, entry, { ...input, form: 'rows' })
  return respondFolder(drive, entry, { ...input, form })
}

/** An empty folder: what clients without support for drop boxes see. */
const NOTHING = {
  kind: 'drop',
  path: '/',
  name: '',
  size: 0,
  extension: '',
  modified: new Date(0).toISOString(),
  mode: 0,
  isDir: true,
  isSymlink: false,
  type: '',
  items: [],
  numDirs: 0,
  numFiles: 0,
}

function linkOf({ share, drive }: Visit, path: FilePath): SharedLink {
  const { title, message, rights, expire, maxDownloads, drop, received } = share
  const isReadOnly = drive.isReadOnly(path)
  const mayChange = (right: 'create' | 'rename' | 'delete'): boolean => drive.may(right, path) && !isReadOnly
  const left = (most: number, taken: number): number | null => (most === 0 ? null : Math.max(0, most - taken))
  return {
    title,
    message,
    rights,
    expires: expire,
    limited: maxDownloads !== 0,
    may: { create: mayChange('create'), rename: mayChange('rename'), delete: mayChange('delete') },
    drop:
      rights === 'drop' ? { ...drop, maxFiles: left(drop.maxFiles, received.files), maxBytes: left(drop.maxBytes, received.bytes) } : null,
  }
}
