import type { Insertable, Selectable } from 'kysely'
import type { OperationWay } from '../../shared/contract/trash.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/file-path.ts'
import type { OperationsTable } from '../db/schema.ts'
import { fromStored, searchable, toStored } from './stored-path.ts'

/** `delete`: moved to the trash. `restore`: back from there. */
export type OperationKind = 'delete' | 'restore'

/**
 * `intended`: written before the disk is touched. `failed`: it did not happen. `done`: it did; a deletion can be restored. `restoring`, `purging`: such a
 * deletion is being restored, or removed for good. `undone`, `purged`: that has happened.
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

export interface JournalEntry {
  /** UUIDv7: later operations have higher ids. */
  readonly id: string
  /** One gesture of a person. */
  readonly group: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: Performer
  readonly kind: OperationKind
  /** Storage path, links resolved: what was deleted, or where it was restored to. */
  readonly path: FilePath
  readonly identity: string
  readonly folder: boolean
  /** Bytes, of a folder with everything below it; null if not counted yet. */
  readonly size: number | null
  readonly state: OperationState
  readonly kept: KeptAt | null
}

export function toRow({ id, group, at, by, kind, path, identity, folder, size, state, kept }: JournalEntry): Insertable<OperationsTable> {
  return {
    id,
    group_id: group,
    at,
    user_id: by.id,
    user_name: by.name,
    via: by.via,
    kind,
    path: toStored(path),
    target: null,
    name: searchable(nameOf(path)),
    parent: toStored(parentOf(path)),
    identity,
    folder: Number(folder),
    size,
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
    identity: row.identity,
    folder: row.folder === 1,
    size: row.size,
    state: row.state as OperationState,
    kept: row.kept_volume === null || row.kept_id === null ? null : { volume: fromStored(row.kept_volume), id: row.kept_id },
  }
}
