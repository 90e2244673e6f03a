import type { AuditDetail, AuditKind } from '../../shared/contract/audit.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** What may be announced. Facts are hints: losing one costs a cache entry its freshness, never correctness. */
export interface BusEvents {
  'user.changed': { userId: number }
  'settings.changed': Record<string, never>
  /** Sessions of this person ended, or have another token now. */
  'session.changed': { userId: number }
  /** A link was changed or removed. */
  'share.changed': Record<string, never>
  /** Places as the storage has them, links not resolved. */
  'files.changed': { storagePaths: readonly FilePath[] }
  /** Something was done that an administrator may want to look up. Holds no secret. */
  noted: AuditEvent
}

export interface AuditEvent {
  readonly kind: AuditKind
  /** Who did it; null for somebody unknown. */
  readonly by: { readonly id: number; readonly name: string } | null
  /** The client's; null on a unix socket. */
  readonly address: string | null
  /** Whom or what it was done to. */
  readonly subject?: string
  readonly details?: readonly AuditDetail[]
}

export type Topic = keyof BusEvents

/** PORT. Everyone who listens to a topic hears each fact once, after `announce` has returned. */
export interface Bus {
  announce<T extends Topic>(topic: T, event: BusEvents[T]): void
  /** @returns a function that stops listening */
  on<T extends Topic>(topic: T, listener: (event: BusEvents[T]) => void): () => void
}
