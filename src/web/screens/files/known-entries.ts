import type { QueryClient } from '@tanstack/react-query'
import { type FilePath, nameOf, parentOf } from '../../../shared/file-path.ts'
import { resourceQuery } from '../../data/folders.ts'
import { entryOf, indexOfNames, type ListedEntry } from '../../data/listing.ts'

/** The entries from the loaded listings; null for what they do not know. */
export function* knownEntries(queries: QueryClient, paths: readonly FilePath[]): Generator<ListedEntry | null> {
  const lookups = new Map<FilePath, (name: string) => ListedEntry | null>()
  for (const path of paths) {
    const folder = parentOf(path)
    const look = lookups.get(folder) ?? lookupIn(queries, folder)
    lookups.set(folder, look)
    yield look(nameOf(path))
  }
}

function lookupIn(queries: QueryClient, folder: FilePath): (name: string) => ListedEntry | null {
  const listing = queries.getQueryData(resourceQuery(folder).queryKey)
  if (listing?.kind !== 'folder') return () => null
  const indexOf = indexOfNames(listing)
  return (name) => {
    const index = indexOf(name)
    return index === null ? null : entryOf(listing, index)
  }
}
