import { href } from '../../shared/contract/endpoint.ts'
import { type PreviewSize, previews } from '../../shared/contract/previews.ts'
import type { FileType } from '../../shared/contract/resources.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { address } from './client.ts'
import { inlineAddress } from './inline.ts'
import { pageConfig } from './page-config.ts'

/** Formats that no browser decodes and that only the server can render. */
const SERVER_ONLY = /\.(tiff?|dng|cr2|nef|hei[cf]|arw|orf|rw2|pef|srw)$/i
/** Vector or animated formats, for which a smaller rendition would be a loss. */
const AS_IT_IS = /\.(svg|gif|apng)$/i

/**
 * Address of a server-rendered image; authenticated by the cookie.
 * @param modified milliseconds since 1970; changes the address when the file changes
 */
export function pictureAddress(size: PreviewSize, path: FilePath, modified: number): string {
  return address(href(previews.get, { params: { path, size }, query: { inline: 'true', k: String(Math.floor(modified)) } }))
}

/** Below this size a page thumbnail is unreadable; the icon is used instead. */
const LEAST_PAGE_PX = 48

/** Whether an entry has a thumbnail. @param shownPx shorter side on screen */
export function hasThumbnail(
  { type, size, isDir }: { type: FileType; size: number; isDir: boolean },
  { shownPx = Number.POSITIVE_INFINITY }: { shownPx?: number } = {},
): boolean {
  if (!pageConfig.EnableThumbs || isDir || size === 0) return false
  return type === 'image' || type === 'video' || (type === 'pdf' && shownPx >= LEAST_PAGE_PX)
}

/** @param name or path of a file */
export function isServerOnly(name: string): boolean {
  return SERVER_ONLY.test(name)
}

/** Whether an image can be shown screen-sized and at full size. @param name or path of the file */
export function hasTwoSizes(name: string): boolean {
  return pageConfig.ResizePreview && !isServerOnly(name) && !AS_IT_IS.test(name)
}

/** Thumbnail address of an entry; null if it has none. */
export function thumbnailAddress(entry: { path: FilePath; type: FileType; size: number; modified: number; isDir: boolean }): string | null {
  return hasThumbnail(entry) ? pictureAddress('thumb', entry.path, entry.modified) : null
}

/** Address of an image for display. */
export function imageAddress(path: FilePath, modified: number, { full = false } = {}): string {
  const big = isServerOnly(path) || (hasTwoSizes(path) && !full)
  return big ? pictureAddress('big', path, modified) : inlineAddress(path, modified)
}
