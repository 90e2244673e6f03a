import { ROW_FOLDER, ROW_TYPES } from '../../shared/contract/resources.ts'
import { type FilePath, nameOf } from '../../shared/file-path.ts'
import { entryAt, entryOf, HIDDEN, indexOfName, type ListedEntry, type Listing, type OpenedFile } from './listing.ts'

/** The position of a file among the media files of its folder. */
export interface Neighbours {
  readonly previous: ListedEntry | null
  readonly next: ListedEntry | null
  /** From 1; 0 if the file itself is not media. */
  readonly at: number
  readonly count: number
}

const NONE: Neighbours = { previous: null, next: null, at: 0, count: 0 }
const MEDIA = new Set(['image', 'video', 'audio', 'pdf'].map((type) => ROW_TYPES.findIndex((one) => one === type)))

/** The media files before and after a file in listing order; other files are skipped. */
export function neighboursOf(folder: Listing | null, current: string): Neighbours {
  const index = folder === null ? null : indexOfName(folder, current)
  if (folder === null || index === null) return NONE
  const here = folder.positions[index] ?? 0
  const found = { previous: -1, next: -1, at: 0, count: 0 }
  // Reads the columns directly: a folder may have 100,000 entries.
  for (let position = folder.numDirs; position < folder.order.length; position++) {
    if (!isMediaAt(folder, position)) continue
    found.count += 1
    if (position < here) found.previous = position
    else if (position === here) found.at = found.count
    else if (found.next < 0) found.next = position
  }
  const entry = (position: number) => (position < 0 ? null : entryAt(folder, position))
  return { previous: entry(found.previous), next: entry(found.next), at: found.at, count: found.count }
}

/** Positions of the media files of a folder, in display order. */
export function mediaOf(folder: Listing): Uint32Array {
  const positions: number[] = []
  for (let position = folder.numDirs; position < folder.order.length; position++) if (isMediaAt(folder, position)) positions.push(position)
  return Uint32Array.from(positions)
}

/** A media file from its folder's data, enough to show it before the server responds; null for anything else. */
export function mediaFile(folder: Listing, path: FilePath): OpenedFile | null {
  const index = indexOfName(folder, nameOf(path))
  if (index === null || !isMediaAt(folder, folder.positions[index] ?? HIDDEN)) return null
  const { name, size, modified, type, isDir, isLink: isSymlink } = entryOf(folder, index)
  const at = new Date(modified)
  if (Number.isNaN(at.getTime())) return null
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? ''
  const file = { path, name, size, modified: at.toISOString(), type, extension, mode: 0, isDir, isSymlink }
  const told = folder.rights && (folder.rights.of[name] ?? folder.rights.here)
  return { kind: 'file', path, file: told === null ? file : { ...file, rights: [...told] }, version: null }
}

function isMediaAt({ order, types }: Listing, position: number): boolean {
  return MEDIA.has((types[order[position] ?? -1] ?? 0) & (ROW_FOLDER - 1))
}
