import { isAppError } from '../../shared/errors.ts'
import type { Leases } from './leases.ts'
import { stagedName, type Upload, type UploadStore } from './store.ts'

export interface SweepDeps {
  readonly store: UploadStore
  readonly leases: Leases
  readonly clock: () => Date
  readonly expiryMs: number
  readonly visitorExpiryMs: number
  /** Staged bytes of the whole storage, by id; provided by `compose.ts`. */
  readonly staging: {
    staged(): Promise<string[]>
    size(id: string): Promise<number>
    /** Time of its last change, in milliseconds since 1970; null if there is none of this id. */
    changed(id: string): Promise<number | null>
    discard(id: string): Promise<void>
  }
}

/** The state of an id that belongs to no upload. */
interface Orphan {
  readonly size: number
  /** Milliseconds since 1970: when it was created, or, if its id does not tell, last changed. */
  readonly since: number
  readonly seenBefore: boolean
}

/**
 * Removes leftovers: uploads without activity for longer than `expiryMs`, those of links that have ended, and staged bytes of the same age that belong to none of them and did not
 * grow between two sweeps. Touches nothing outside staging.
 * @returns a function to call periodically, which returns what it discarded
 */
export function createSweep(deps: SweepDeps): (options?: { signal?: AbortSignal }) => Promise<{ uploads: number; orphans: number }> {
  let orphans = new Map<string, Orphan>()
  return async ({ signal } = {}) => {
    const uploads = await sweepUploads(deps, signal)
    const before = orphans
    orphans = await orphansNow(deps, before)
    const old = [...orphans].filter(([, { seenBefore, since }]) => seenBefore && since + deps.expiryMs <= deps.clock().getTime())
    for (const [id] of old) {
      signal?.throwIfAborted()
      await deps.staging.discard(id)
      orphans.delete(id)
    }
    return { uploads, orphans: old.length }
  }
}

/** Removes the uploads of visitors through links that have ended. @returns how many */
export async function endUploadsOfLinks(deps: SweepDeps, signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const upload of await deps.store.ofEndedLinks(deps.clock().getTime())) {
    signal?.throwIfAborted()
    if (await discard(deps, upload)) count++
  }
  return count
}

async function sweepUploads(deps: SweepDeps, signal?: AbortSignal): Promise<number> {
  const { store, clock, expiryMs, visitorExpiryMs } = deps
  const now = clock().getTime()
  let count = await endUploadsOfLinks(deps, signal)
  for (const upload of await store.stale({ untouchedSince: now - expiryMs, visitorsSince: now - visitorExpiryMs, now })) {
    signal?.throwIfAborted()
    if (upload.finished) await store.remove(upload.id)
    else if (await discard(deps, upload)) count++
  }
  return count
}

/** @returns false if somebody is working on it after all */
async function discard({ store, leases, staging }: SweepDeps, upload: Upload): Promise<boolean> {
  try {
    await leases.hold(upload.id, { evict: 'silent' }, async (held) => {
      await staging.discard(stagedName(upload.id, held.upload.generation))
      await store.remove(upload.id)
    })
    return true
  } catch (error) {
    if (isAppError(error, 'busy')) return false
    throw error
  }
}

async function orphansNow({ store, staging, clock }: SweepDeps, before: Map<string, Orphan>): Promise<Map<string, Orphan>> {
  const ids = await staging.staged()
  const known = await store.stagedNames()
  const now = new Map<string, Orphan>()
  for (const id of ids.filter((one) => !known.has(one))) {
    const size = await staging.size(id)
    const seen = before.get(id)
    const since = madeAt(id) ?? (await staging.changed(id)) ?? clock().getTime()
    now.set(id, { size, since, seenBefore: seen?.size === size })
  }
  return now
}

/** The time in a UUID of version 7; null for every other id. */
function madeAt(id: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id) ?? []
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16)
}
