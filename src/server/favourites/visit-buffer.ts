import { MAX_RECENT } from '../../shared/limits.ts'
import type { FavouriteStore, RecentVisit } from './store.ts'

/** Visits on their way to the store: a burst of them is one write. */
export interface VisitBuffer {
  add(userId: number, visits: readonly RecentVisit[]): void
  /** Nobody is to know of what this person did a moment ago. */
  drop(userId: number): void
  /** Everything that was added is in the store. */
  settled(): Promise<void>
}

const WRITE_AFTER_MS = 2000

export function createVisitBuffer({ store, log }: { store: Pick<FavouriteStore, 'note'>; log: (text: string) => void }): VisitBuffer {
  let waiting = new Map<number, Map<string, RecentVisit>>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let writing: Promise<void> = Promise.resolve()

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
    writing = writing.then(write)
    return writing
  }

  return {
    add(userId, visits) {
      const own = waiting.get(userId) ?? new Map<string, RecentVisit>()
      waiting.set(userId, own)
      for (const visit of visits) {
        // The last one is the last in line.
        own.delete(visit.storagePath)
        own.set(visit.storagePath, visit)
      }
      for (const storagePath of [...own.keys()].slice(0, -MAX_RECENT)) own.delete(storagePath)
      timer ??= setTimeout(() => void settled(), WRITE_AFTER_MS)
    },
    drop: (userId) => void waiting.delete(userId),
    settled,
  }
}
