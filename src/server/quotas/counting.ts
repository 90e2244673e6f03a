import type { Storage } from '../storage/storage.ts'
import { measureBelow } from './measure.ts'
import type { QuotaMaps } from './quota-map.ts'
import { type Amount, NOTHING, type QuotaStore } from './store.ts'

/** How often a count is tried while something changes. */
const MOST_TRIES = 4
const RETRY_MS = 100
/** After changes by other programs the disk is read for at most this share of the time. */
const REST_FACTOR = 20
/** Not longer than this after somebody changed something. */
const SOON_MS = 500
const DAY_MS = 24 * 3600_000

export interface CountingDeps {
  readonly store: QuotaStore
  readonly maps: QuotaMaps
  readonly storage: Pick<Storage, 'list'>
  /** When everything that this server removed is counted. */
  readonly settled: () => Promise<void>
  /** A quota has another sum. */
  readonly onCounted: (subject: string) => void
  readonly clock: () => Date
  readonly log: (line: string) => void
}

export type Counting = ReturnType<typeof createCounting>

/** Counts what lies in the folders of quotas, from the disk. */
export function createCounting({ store, maps, storage, settled, onCounted, clock, log }: CountingDeps) {
  const running = new Map<string, Promise<void>>()
  const planned = new Map<string, Timer>()
  const restUntil = new Map<string, number>()
  const stopping = new AbortController()

  async function measured(subject: string): Promise<Amount> {
    let sum = NOTHING
    for (const folder of (await maps.read()).folders(subject)) {
      const { bytes, files } = await measureBelow(storage, folder, stopping.signal)
      sum = { bytes: sum.bytes + bytes, files: sum.files + files }
    }
    return sum
  }

  async function countNow(subject: string): Promise<void> {
    const began = performance.now()
    let sum = NOTHING
    let isExact = false
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      if (tries > 1) await Bun.sleep(tries * RETRY_MS)
      await settled()
      const before = await store.find(subject)
      if (before === null) return
      sum = await measured(subject)
      isExact = await store.counted(subject, sum, { changes: before.changes, at: clock().getTime() })
      if (isExact) break
      if (tries === MOST_TRIES) await store.estimated(subject, sum)
    }
    onCounted(subject)
    restUntil.set(subject, performance.now() + (performance.now() - began) * REST_FACTOR)
    if (!isExact) plan(subject)
  }

  function count(subject: string): Promise<void> {
    const known = running.get(subject)
    if (known !== undefined) return known
    const mine = countNow(subject).finally(() => running.delete(subject))
    running.set(subject, mine)
    return mine
  }

  async function countSoon(subject: string): Promise<void> {
    planned.delete(subject)
    try {
      if ((await store.find(subject))?.isStale === true) await count(subject)
    } catch (error) {
      if (!stopping.signal.aborted) log(`quotas: ${subject} is not counted: ${String(error)}`)
    }
  }

  function plan(subject: string): void {
    if (planned.has(subject) || stopping.signal.aborted) return
    const rest = (restUntil.get(subject) ?? 0) - performance.now()
    const timer = setTimeout(() => void countSoon(subject), Math.max(SOON_MS, rest))
    timer.unref()
    planned.set(subject, timer)
  }

  return {
    /** Counts a quota, or waits for a count that is running. */
    count,

    /** Somebody changed something that nobody counted. */
    async spoiled(subjects: readonly string[]): Promise<void> {
      await store.markStale(subjects)
      for (const subject of subjects) plan(subject)
    },

    /** Counts what has to be counted, and what was not counted for a day; changes by other programs may have been missed. */
    async sweep(): Promise<void> {
      await settled()
      const now = clock().getTime()
      await store.forgetDead(now)
      await maps.read()
      for (const { subject, isStale, countedAt } of await store.all())
        if (isStale || countedAt === null || Math.abs(now - countedAt) > DAY_MS) await count(subject)
    },

    async stop(): Promise<void> {
      stopping.abort()
      for (const timer of planned.values()) clearTimeout(timer)
      await Promise.allSettled(running.values())
    },
  }
}
