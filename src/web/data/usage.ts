import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { errorFrom } from '../../shared/contract/invoke.ts'
import { href } from '../../shared/contract/endpoint.ts'
import type { FileType } from '../../shared/contract/resources.ts'
import { DuplicatesLine, type DuplicatesCut, type LargeFile, sizes, type Sums } from '../../shared/contract/sizes.ts'
import { AppError } from '../../shared/errors.ts'
import { type FilePath, nameOf, parseFilePath } from '../../shared/file-path.ts'
import { fileType } from '../../shared/file-type.ts'
import { clientFor, send } from './client.ts'
import { readResource } from './folders.ts'
import { linesOf } from './lines.ts'
import { entryOf, isFolderAt, type Listing } from './listing.ts'

const client = clientFor({ sizes })

/** An entry with its disk usage. */
export interface UsageItem {
  readonly path: FilePath
  readonly name: string
  readonly isDir: boolean
  readonly type: FileType
  readonly bytes: number
  /** Milliseconds since 1970, where known. */
  readonly modified?: number
}

/** Entries by size, descending. */
export interface UsageResult {
  readonly parts: readonly UsageItem[]
  /** Whether the index was up to date; otherwise these are older results and worth refetching. */
  readonly isComplete: boolean
}

/** Disk usage of a folder. */
export interface FolderUsage extends UsageResult {
  readonly total: Sums
}

/**
 * Links are not included: their targets use space elsewhere.
 * @param before previous result, kept (without removed entries) while the index is not up to date
 * @returns null if it was never known
 */
export async function readFolderUsage(
  queries: QueryClient,
  path: FilePath,
  { before, signal }: { before: FolderUsage | null; signal: AbortSignal },
): Promise<FolderUsage | null> {
  const [{ sums, children }, place] = await Promise.all([
    client.sizes.folder({ params: { path }, query: { children: 'true' } }, { signal }),
    readResource(queries, path),
  ])
  if (place.kind !== 'folder') throw new AppError('not-found', { path })
  if (sums !== null && children !== null) {
    const below = new Map(children.names.map((name, at) => [name, children.bytes[at] ?? 0]))
    return { total: sums, parts: partsOf(place, below), isComplete: true }
  }
  const names = new Set(place.names)
  return before && { ...before, parts: before.parts.filter(({ name }) => names.has(name)), isComplete: false }
}

function partsOf(listing: Listing, below: ReadonlyMap<string, number>): UsageItem[] {
  const bytesOf = (index: number): number =>
    (isFolderAt(listing, index) ? below.get(listing.names[index] ?? '') : listing.sizes[index]) ?? 0
  return [...listing.names.keys()]
    .map((index) => ({ index, bytes: bytesOf(index) }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ index, bytes }) => ({ ...entryOf(listing, index), bytes }))
    .filter(({ isLink }) => !isLink)
}

/** The largest files below a folder; `before` as above. */
export async function readLargest(
  path: FilePath,
  { before, signal }: { before: UsageResult | null; signal: AbortSignal },
): Promise<UsageResult | null> {
  const { files } = await client.sizes.largest({ params: { path } }, { signal })
  return files === null ? before && { ...before, isComplete: false } : { parts: files.map(fileOf), isComplete: true }
}

/** Files with equal content. */
export interface DuplicateGroup {
  /** Stable when one of them is deleted. */
  readonly id: string
  /** Size of each, in bytes. */
  readonly size: number
  readonly files: readonly UsageItem[]
}

export interface DuplicatesHandlers {
  onFound: (copies: DuplicateGroup) => void
  onProgress: (progress: { compared: number; of: number }) => void
}

/** Finds duplicate files below a folder. Fails with `offline` if the connection drops. @returns why it ended early, or null */
export async function findDuplicates(path: FilePath, handlers: DuplicatesHandlers, signal: AbortSignal): Promise<DuplicatesCut | null> {
  const response = await send(href(sizes.duplicates, { params: { path } }), { headers: { accept: 'application/json' }, signal })
  if (response.status !== 200) throw await errorFrom(response)
  for await (const lines of linesOf(response)) {
    for (const text of lines.filter((line) => line !== '')) {
      const line = z.parse(DuplicatesLine, JSON.parse(text))
      if ('end' in line) return line.cut
      if ('paths' in line)
        handlers.onFound({
          id: line.paths[0] ?? '',
          size: line.size,
          files: line.paths.map((one, at) => fileOf({ path: one, size: line.size, modified: line.modified[at] ?? 0 })),
        })
      else handlers.onProgress(line)
    }
  }
  throw new AppError('offline', {})
}

function fileOf({ path: text, size, modified }: LargeFile): UsageItem {
  const path = parseFilePath(text)
  const name = nameOf(path)
  return { path, name, isDir: false, type: fileType(name) ?? 'blob', bytes: size, modified }
}
