import type { FilePath } from '../../shared/file-path.ts'
import type { JournalEntry } from '../journal/operation-row.ts'

/** What one operation did to one node. An operation that replaces a file does two things: the file that was there goes, another one comes. */
export interface Event {
  readonly entry: JournalEntry
  /**
   * `appear`: it was nowhere before. `content`: a file has another content. `move`: it has another path. `go`: it went to the trash, or where replaced
   * files are kept. `back`: it came back from there.
   */
  readonly kind: 'appear' | 'content' | 'move' | 'go' | 'back'
  /** Where the node is afterwards; of what went, where it was. */
  readonly path: FilePath
  /** Where the node was; null if it was nowhere, and of what went. */
  readonly origin: FilePath | null
  /** Of what went or came back, by what it is found again: the id of the deletion, or of the version. Null if nothing was kept. */
  readonly key: string | null
}

/** By the order in which they happened. @param isSplit whether the contents of its file are nodes of their own */
export function eventsOf(entry: JournalEntry, isSplit: (entry: JournalEntry) => boolean): Event[] {
  const { kind, path, origin, version, restored, kept, folder } = entry
  const comes: Event =
    restored === null
      ? { entry, kind: 'appear', path, origin: null, key: null }
      : { entry, kind: 'back', path, origin: null, key: restored.version }
  const goes = (from: FilePath): Event => ({ entry, kind: 'go', path: from, origin: null, key: version })
  if (kind === 'create' || kind === 'copy') return [comes]
  if (kind === 'delete') return [{ entry, kind: 'go', path, origin: null, key: entry.id }]
  if (kind === 'replace') return isSplit(entry) ? [goes(path), comes] : [{ entry, kind: 'content', path, origin: path, key: null }]
  const replaced = version === null ? [] : [goes(path)]
  if (kind === 'restore') return [...replaced, { entry, kind: 'back', path, origin: null, key: kept?.id ?? null }]
  // A folder that was merged with another one is empty at last, and goes.
  if (folder && version !== null) return [goes(origin ?? path)]
  return [...replaced, { entry, kind: 'move', path, origin, key: null }]
}
