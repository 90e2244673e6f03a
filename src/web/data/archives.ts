import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { href } from '../../shared/contract/endpoint.ts'
import { type ArchiveListing, unpack } from '../../shared/contract/unpack.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { compareTexts, naturalKey } from '../../shared/natural-order.ts'
import { address, clientFor } from './client.ts'

const client = clientFor({ unpack })

export type ArchiveEntry = ArchiveListing['entries'][number]

/** The entries of an archive. @param modified milliseconds since 1970; part of the key, so that a changed file is read again */
export function archiveQuery(path: FilePath, modified: number) {
  return queryOptions({
    queryKey: ['archive', path, modified] as const,
    queryFn: ({ signal }) => client.unpack.list({ params: { path } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

export function readArchive(queries: QueryClient, path: FilePath, modified: number): Promise<ArchiveListing> {
  return queries.fetchQuery(archiveQuery(path, modified))
}

/** The download address of one entry of an archive. */
export function entryAddress(path: FilePath, { index, path: inside }: Pick<ArchiveEntry, 'index' | 'path'>): string {
  return address(href(unpack.entry, { params: { path }, query: { index, inside } }))
}

/** A file or folder inside an archive. */
export interface InnerEntry {
  readonly name: string
  readonly isDir: boolean
  /** In bytes, if the archive states it. */
  readonly size: number | null
  readonly modified: number | null
  /** Null for a folder. */
  readonly entry: ArchiveEntry | null
}

/** The direct children of a folder in an archive, folders first, in listing order; includes folders that exist only in the paths of other entries. */
export function entriesIn(entries: readonly ArchiveEntry[], folder: string): InnerEntry[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const found = new Map<string, InnerEntry>()
  for (const entry of entries) {
    if (!entry.path.startsWith(prefix)) continue
    const [name = '', ...deeper] = entry.path.slice(prefix.length).split('/')
    if (name === '' || (found.has(name) && deeper.length > 0)) continue
    const isDir = entry.isDir || deeper.length > 0
    found.set(name, {
      name,
      isDir,
      size: isDir ? null : entry.size,
      modified: deeper.length > 0 ? null : entry.modified,
      entry: isDir ? null : entry,
    })
  }
  const ordered = [...found.values()].map((entry) => ({ entry, key: naturalKey(entry.name) }))
  return ordered.toSorted((a, b) => Number(b.entry.isDir) - Number(a.entry.isDir) || compareTexts(a.key, b.key)).map(({ entry }) => entry)
}
