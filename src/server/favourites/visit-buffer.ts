import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import { MAX_RECENT } from '../../shared/limits.ts'
import type { FavouriteStore, RecentVisit } from './store.ts'

/** Visits that wait to be stored: a burst of them is one write. */
export type VisitBuffer = ReturnType<typeof createVisitBuffer>

const WRITE_AFTER_MS = 2000

export function createVisitBuffer({ store, log }: { store: Pick<FavouriteStore, 'note'>; log: (text: string) => void }) {
  let waiting = new Map<number, Map<string, RecentVisit>>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const oneByOne = createKeyedMutex()

  async function write(): Promise<void> {
    const now = waiting
    waiting = new Map()
    for (const [userId, visits] of now) {
      try {
        await store.note(userId, [...visits.values()])
      } catch (error) {
        log(`recent files: ${String(error)}`)
      }
    }
  }

  function settled(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    return oneByOne('write', write)
  }

  return {
    add(userId: number, visits: readonly RecentVisit[]): void {
      const own = waiting.get(userId) ?? new Map<string, RecentVisit>()
      waiting.set(userId, own)
      for (const visit of visits) {
        // A repeated visit moves to the end.
        own.delete(visit.storagePath)
        own.set(visit.storagePath, visit)
      }
      for (const storagePath of [...own.keys()].slice(0, -MAX_RECENT)) own.delete(storagePath)
      timer ??= setTimeout(() => void settled(), WRITE_AFTER_MS)
    },
    /** Discards the waiting visits of this user. */
    drop: (userId: number): void => void waiting.delete(userId),
    /** Resolves when everything that was added is stored. */
    settled,
  }
}
