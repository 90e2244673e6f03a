import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { FoundNode } from '../../shared/found-node.ts'

/** Events on the bus. They are hints: if one is lost, a cache is stale for a while, but nothing becomes wrong. */
export interface BusEvents {
  'user.changed': { userId: number }
  'settings.changed': Record<string, never>
  /** Groups, memberships or grants: those of one user, or of all. */
  'group.changed': { userId: number | null }
  /** Sessions of this user ended or were renewed. */
  'session.changed': { userId: number }
  /** A link, or a share with people; then the key of its recipient, such as `user 5`. */
  'share.changed': { recipient?: string }
  /** A provider or a directory through which people sign in. */
  'sign-in-methods.changed': Record<string, never>
  /** The limits of somebody's quota. */
  'quota.changed': Record<string, never>
  /** Somebody cancelled a job that may run on another server. */
  'job.cancelled': { id: string }
  /** Storage paths, links not resolved. */
  'files.changed': { storagePaths: readonly FilePath[] }
  /** What the index found on the disk, by any program; only for listeners in this process. */
  'files.found': { changes: readonly FoundNode[] }
  /** Something for the audit trail. Contains no secret. */
  noted: AuditEvent
}

export interface AuditEvent {
  readonly kind: AuditKind
  /** The user who did it, and the name of the API token that they did it with; null if unknown. */
  readonly by: { readonly id: number; readonly name: string; readonly token?: string } | null
  /** The client's address; null on a unix socket. */
  readonly address: string | null
  /** The account or path that it was done to. */
  readonly subject?: string
  readonly details?: readonly AuditDetail[]
}

export type Topic = keyof BusEvents

/** PORT. Every listener of a topic hears each event once, after `announce` has returned. */
export interface Bus {
  announce<T extends Topic>(topic: T, event: BusEvents[T]): void
  /** @returns a function that unsubscribes */
  on<T extends Topic>(topic: T, listener: (event: BusEvents[T]) => void): () => void
}
