import { randomUUID } from 'node:crypto'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { nullOn } from '../../shared/errors.ts'
import type { Viewer } from '../access/viewer.ts'
import type { DavCall } from '../dav/dav-call.ts'
import type { Fingerprints } from '../index/tree-index.ts'
import type { createVisiblePrints } from './visible-prints.ts'

export interface FolderEtagsDeps {
  readonly visiblePrints: ReturnType<typeof createVisiblePrints>
  /** A text that is another one as soon as other things are visible to somebody, or allowed. */
  readonly accessMark: (viewer: Viewer) => Promise<string>
}

/** The ETags of a folder and, if they were asked for, of those in it. */
export interface FolderEtags {
  /** In quotes. */
  of(path: FilePath): string
}

/**
 * ETags of folders, which change with anything below that somebody sees, by whatever program, and with what they may see and do there. They come from the
 * index, which is never ahead of the disk. What it does not know gets an ETag that is never told again, so that clients look into it. Links are not
 * followed: what changes behind a link in a folder changes the ETag of the link only.
 */
export async function folderEtagsOf(
  { visiblePrints, accessMark }: FolderEtagsDeps,
  { viewer, drive, request: { signal } }: Pick<DavCall, 'viewer' | 'drive' | 'request'>,
  folder: FilePath,
  { children }: { children: boolean },
): Promise<FolderEtags> {
  const mark = await accessMark(viewer)
  const subtree = await nullOn('not-found', drive.subtree(folder))
  const known: Fingerprints | null = subtree && (await visiblePrints(subtree, { mark, children, signal }))
  const written = (print: string | undefined): string =>
    print === undefined ? `"${randomUUID()}"` : `"${Bun.hash(`${mark} ${print}`).toString(16).padStart(16, '0')}"`
  return { of: (path) => written(path === folder ? known?.own : known?.children.get(nameOf(path))) }
}
