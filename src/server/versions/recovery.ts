import { isAppError } from '../../shared/errors.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import type { Kept, Storage } from '../storage/storage.ts'
import type { StoredVersion, VersionStore } from './store.ts'

export interface RecoveryDeps {
  readonly storage: Storage
  readonly store: VersionStore
  readonly log: (line: string) => void
}

/**
 * Brings the table in step with the disks: what is kept and not in the table gets a row, because a database may be lost or old; nobody sees it, but it
 * is counted, and removed in its time. A row whose content is gone is removed. What is intended is not looked at (`settlement.ts`).
 */
export async function reconcile({ storage, store, log }: RecoveryDeps): Promise<void> {
  const pause = periodicYield()
  // First the disks, then the table: a row is written before its file is kept.
  await storage.learnVolumes(await store.volumes())
  const nodes = await storage.keptNodes('versions')
  const known = new Set((await store.known(nodes.map(({ id }) => id))).map(({ id }) => id))
  let added = 0
  for (const kept of nodes) {
    await pause()
    if (known.has(kept.id)) continue
    try {
      if (await addUnknown(kept)) added++
    } catch (error) {
      if (!isAppError(error, 'storage-busy')) log(`versions: ${kept.id} cannot be checked: ${String(error)}`)
    }
  }
  if (added > 0) log(`versions: ${added} were not in the database; nobody sees them, and they are removed in their time`)
  await forgetLost(new Set(nodes.map(({ id }) => id)))

  async function addUnknown(kept: Kept): Promise<boolean> {
    const stat = await storage.statKept(kept)
    // Left by a call that did not end.
    if (stat === null) {
      await storage.dropKept(kept)
      return false
    }
    const { size, modified, identity } = stat
    await store.begin({ id: kept.id, file: null, kept, at: timeOf(kept.id), by: '', size, modified, identity, state: 'done' })
    return true
  }

  async function forgetLost(found: ReadonlySet<string>): Promise<void> {
    for (let last = ''; ;) {
      await pause()
      const some = await store.page(last)
      const next = some.at(-1)?.id
      if (next === undefined) return
      last = next
      const lost: string[] = []
      for (const version of some) if (version.state === 'done' && !found.has(version.id) && (await isGone(version))) lost.push(version.id)
      await store.forget(lost)
    }
  }

  /** False also if its disk does not answer. */
  async function isGone({ kept }: StoredVersion): Promise<boolean> {
    try {
      return (await storage.statKept(kept)) === null
    } catch (error) {
      if (isAppError(error)) return false
      throw error
    }
  }
}

/** The time in a UUIDv7, in milliseconds since 1970; 1970 for any other id. */
function timeOf(id: string): number {
  const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)
  return isUuid ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : 0
}
