import { isAppError } from '../../shared/errors.ts'
import type { Leases } from './leases.ts'
import { stagedName, type Upload, type UploadStore } from './store.ts'

export interface SweepDeps {
  readonly store: UploadStore
  readonly leases: Leases
  readonly clock: () => Date
  readonly expiryMs: number
  /** The staged bytes of the whole storage, by id; `compose.ts` has the storage. */
  readonly staging: {
    staged(): Promise<string[]>
    size(id: string): Promise<number>
    /** Milliseconds since 1970 of its last change; null where there is none of this id. */
    changed(id: string): Promise<number | null>
    discard(id: string): Promise<void>
  }
}

/** What was seen under an id that no upload owns. */
interface Orphan {
  readonly size: number
  /** Milliseconds since 1970: when it was made, or, where its id does not say, when it last changed. */
  readonly since: number
  readonly seenBefore: boolean
}

/**
 * A sweep of what was left lying: uploads without a sign of life for longer than `expiryMs`, and staged bytes that belong to none of them and
 * are as old, and did not grow between two sweeps. Nothing outside staging is ever touched.
 * @returns a function to be called now and then, which tells what it discarded
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

async function sweepUploads(deps: SweepDeps, signal?: AbortSignal): Promise<number> {
  const { store, clock, expiryMs } = deps
  const now = clock().getTime()
  let count = 0
  for (const upload of await store.stale({ untouchedSince: now - expiryMs, now })) {
    signal?.throwIfAborted()
    if (upload.finished) await store.remove(upload.id)
    else if (await discard(deps, upload)) count++
  }
  return count
}

/** @returns false when somebody is at work on it after all */
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
