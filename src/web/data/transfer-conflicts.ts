import { type FilePath, isWithin, joinPath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { Transfer } from './files.ts'
import { entryOf, indexOfNames, type ListedEntry, type Listing } from './listing.ts'
import type { ConflictAnswer } from './uploads/send.ts'

/** A name that already exists in the destination folder. */
export interface TransferConflict {
  readonly from: FilePath
  readonly name: string
  readonly existing: ListedEntry
  /** Null if the source folder is not loaded. */
  readonly incoming: ListedEntry | null
}

/** @param sourceFolder the listing of the sources, if it is loaded */
export function findTransferConflicts(sources: readonly FilePath[], into: Listing, sourceFolder: Listing | null): TransferConflict[] {
  const indexInto = indexOfNames(into)
  const indexFrom = sourceFolder === null ? null : indexOfNames(sourceFolder)
  return sources.flatMap((from) => {
    const name = nameOf(from)
    const existing = indexInto(name)
    if (existing === null || parentOf(from) === into.path) return []
    const own = indexFrom?.(name) ?? null
    const incoming = sourceFolder === null || own === null ? null : entryOf(sourceFolder, own)
    return [{ from, name, existing: entryOf(into, existing), incoming }]
  })
}

/** A folder cannot be moved or copied into itself or below itself. */
export function isIntoItself(sources: readonly FilePath[], into: FilePath): boolean {
  return sources.some((from) => isWithin(into, from))
}

/** The transfers after conflicts are resolved: skipped entries are left out, and a copy into its own folder gets a new name. */
export function planTransfers(sources: readonly FilePath[], into: FilePath, answers: ReadonlyMap<FilePath, ConflictAnswer>): Transfer[] {
  return sources.flatMap((from) => {
    const answer = answers.get(from)
    if (answer === 'skip') return []
    const rename = answer === 'keep-both' || parentOf(from) === into
    return [{ from, to: joinPath(into, nameOf(from)), override: answer === 'replace', rename }]
  })
}
