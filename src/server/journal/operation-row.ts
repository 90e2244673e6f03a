import type { Insertable, Selectable } from 'kysely'
import type { OperationKind } from '../../shared/contract/operations.ts'
import type { OperationWay } from '../../shared/contract/trash.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { OperationsTable } from '../db/schema.ts'
import { fromStored, searchable, toStored } from './stored-path.ts'

/**
 * `intended`: written before the disk is touched. `failed`: it did not happen. `done`: it did, and can be taken back. `undone`: it was taken back. Of
 * deletions only: `restoring`, `purging`: the node is being restored, or removed for good. `purged`: it was removed for good, perhaps at once.
 */
export type OperationState = 'intended' | 'failed' | 'done' | 'restoring' | 'undone' | 'purging' | 'purged'

/** Something that is kept out of sight: the uppermost folder of its file system, and its id there. */
export interface KeptAt {
  readonly volume: FilePath
  readonly id: string
}

export interface Performer {
  /** 0 for the server itself. */
  readonly id: number
  readonly name: string
  readonly via: OperationWay
}

/** One change of one node, with everything below it. */
export interface JournalEntry {
  /** UUIDv7: later operations have higher ids. */
  readonly id: string
  /** One gesture of a person. */
  readonly group: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: Performer
  readonly kind: OperationKind
  /** Storage path, links resolved: where the node is after the operation; of a deletion, where it was. */
  readonly path: FilePath
  /** Of moves, where the node was; of copies, what was copied. */
  readonly origin: FilePath | null
  /** Of the node after the operation; of a deletion, of the node that was removed. */
  readonly identity: string
  readonly folder: boolean
  /** Bytes, of a deleted folder with everything below it; null if not counted, or not known yet. */
  readonly size: number | null
  /** Of the content that a file had afterwards; milliseconds since 1970. Null for folders, deletions, and if not known yet. */
  readonly modified: number | null
  /** The version that holds the file that was replaced, or the empty folder that was merged with another one; null if nothing was kept. */
  readonly version: string | null
  /** The version that came back. `was`: of one that was restored as a save, what it had before; null if it kept that. */
  readonly restored: { readonly version: string; readonly was: { readonly mode: number; readonly modified: number } | null } | null
  /** The operation that this one took back; null if it is no undoing, redoing or rewinding. */
  readonly reverts: string | null
  readonly state: OperationState
  /** Of deletions and restorations: where the node is, or was, in the trash. */
  readonly kept: KeptAt | null
}

export function toRow(entry: JournalEntry): Insertable<OperationsTable> {
  const { id, group, at, by, kind, path, origin, identity, folder, size, modified, version, restored, reverts, state, kept } = entry
  return {
    id,
    group_id: group,
    at,
    user_id: by.id,
    user_name: by.name,
    via: by.via,
    kind,
    path: toStored(path),
    origin: origin && toStored(origin),
    name: searchable(nameOf(path)),
    parent: toStored(parentOf(path)),
    identity,
    folder: Number(folder),
    size,
    modified: modified === null ? null : Math.round(modified),
    version_id: version,
    restored_id: restored && restored.version,
    restored_mode: restored?.was?.mode ?? null,
    restored_modified: restored?.was?.modified ?? null,
    reverts,
    state,
    kept_volume: kept && toStored(kept.volume),
    kept_id: kept && kept.id,
  }
}

export function fromRow(row: Selectable<OperationsTable>): JournalEntry {
  return {
    id: row.id,
    group: row.group_id,
    at: row.at,
    // What follows was written from these types, by `toRow` only.
    by: { id: row.user_id, name: row.user_name, via: row.via as OperationWay },
    kind: row.kind as OperationKind,
    path: fromStored(row.path),
    origin: row.origin === null ? null : fromStored(row.origin),
    identity: row.identity,
    folder: row.folder === 1,
    size: row.size,
    modified: row.modified,
    version: row.version_id,
    restored: restoredOf(row),
    reverts: row.reverts,
    state: row.state as OperationState,
    kept: row.kept_volume === null || row.kept_id === null ? null : { volume: fromStored(row.kept_volume), id: row.kept_id },
  }
}

function restoredOf({ restored_id: version, restored_mode: mode, restored_modified: modified }: Selectable<OperationsTable>) {
  return version === null ? null : { version, was: mode === null || modified === null ? null : { mode, modified } }
}
