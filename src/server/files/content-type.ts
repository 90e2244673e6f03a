import { extensionOf, fileType, looksLikeText } from '../../shared/file-type.ts'

export const BYTES = 'application/octet-stream'
const PLAIN = 'text/plain; charset=utf-8'

/**
 * The Content-Type of a file that is shown inline, from a list of harmless types: media as they are, some kinds of text, other text as plain text,
 * everything else as bytes. Null if the name does not tell.
 */
export function contentTypeOf(name: string): string | null | Promise<string> {
  const extension = extensionOf(name).slice(1).toLowerCase()
  const type = fileType(name)
  if (type === null) return null
  if (type === 'pdf') return 'application/pdf'
  if (type === 'text') return TEXT[extension] ?? PLAIN
  return type === 'blob' ? BYTES : (MEDIA[extension] ?? mediaType(extension))
}

/** For the rest: text if its first bytes look like text. */
export function contentTypeByHead(head: Uint8Array): string {
  return looksLikeText(head) ? PLAIN : BYTES
}

// More than a thousand types, which many servers never need.
let types: { getType(extension: string): string | null } | undefined

function mediaType(extension: string): string | Promise<string> {
  if (types === undefined) return import('mime').then((module) => harmless((types = module.default).getType(extension)))
  return harmless(types.getType(extension))
}

function harmless(type: string | null): string {
  return type !== null && /^(image|audio|video)\//.test(type) ? type : BYTES
}

const TEXT: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
}

const MEDIA: Record<string, string> = {
  // What most folders have.
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  // What the list does not have, or has otherwise.
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mkv: 'video/x-matroska',
  mka: 'audio/x-matroska',
  opus: 'audio/ogg',
  m2ts: 'video/mp2t',
  ogm: 'video/ogg',
}
