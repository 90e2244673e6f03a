import { href } from '../../shared/contract/endpoint.ts'
import { type PreviewSize, previews } from '../../shared/contract/previews.ts'
import type { FileType } from '../../shared/contract/resources.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'
import { inlineAddress } from './inline.ts'
import { pageConfig } from './page-config.ts'

/** What no browser decodes: only the server's picture can be shown (and what phones, further cameras write). */
const SERVER_ONLY = /\.(tiff?|dng|cr2|nef|hei[cf]|arw|orf|rw2|pef|srw)$/i
/** Sharp at any size, or in motion: a smaller picture would be less. */
const AS_IT_IS = /\.(svg|gif|apng)$/i

/**
 * Where the server's picture of a file is; the cookie says who asks.
 * @param modified milliseconds since 1970: another version has another address
 */
export function pictureAddress(size: PreviewSize, path: FilePath, modified: number): string {
  return address(href(previews.get, { params: { path, size }, query: { inline: 'true', k: String(Math.floor(modified)) } }))
}

/** A page that is shown smaller is a grey patch: the glyph with its letters says more, and the server need not draw it. */
const LEAST_PAGE_PX = 48

/** Whether a thumbnail may be asked for. @param shownPx its shorter side on the screen */
export function hasThumbnail(
  { type, size, isDir }: { type: FileType; size: number; isDir: boolean },
  { shownPx = Number.POSITIVE_INFINITY }: { shownPx?: number } = {},
): boolean {
  if (!pageConfig.EnableThumbs || isDir || size === 0) return false
  return type === 'image' || type === 'video' || (type === 'pdf' && shownPx >= LEAST_PAGE_PX)
}

/** @param name of a file, or its whole path */
export function isServerOnly(name: string): boolean {
  return SERVER_ONLY.test(name)
}

/**
 * Whether there are two ways to see an image: as large as a screen needs, and at its full size.
 * @param name of the file, or its whole path
 */
export function hasTwoSizes(name: string): boolean {
  return pageConfig.ResizePreview && !isServerOnly(name) && !AS_IT_IS.test(name)
}

/** The small picture of an entry; null where none may be asked for. */
export function thumbnailAddress(entry: { path: FilePath; type: FileType; size: number; modified: number; isDir: boolean }): string | null {
  return hasThumbnail(entry) ? pictureAddress('thumb', entry.path, entry.modified) : null
}

/** The image that a screen shows. */
export function imageAddress(path: FilePath, modified: number, { full = false } = {}): string {
  const big = isServerOnly(path) || (hasTwoSizes(path) && !full)
  return big ? pictureAddress('big', path, modified) : inlineAddress(path, modified)
}
