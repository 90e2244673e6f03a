import { type Amount, NOTHING } from './store.ts'

/** A tree is removed node by node: their sum is written once for so long. */
const SETTLED_AFTER_MS = 200

export interface LossesDeps {
  readonly open: (id: string, subjects: readonly string[]) => Promise<void>
  readonly settle: (id: string, subjects: readonly string[], amount: Amount) => Promise<void>
  /** Nobody knows what was changed. */
  readonly spoil: (subjects: readonly string[]) => Promise<void>
  readonly log: (line: string) => void
}

interface Batch {
  readonly id: string
  readonly subjects: readonly string[]
  readonly opened: Promise<void>
  bytes: number
  files: number
  /** Changes that have not ended. */
  running: number
  isClosed: boolean
}

export type Losses = ReturnType<typeof createLosses>

/** What is removed. Nobody is refused for it, so that many removals are written together; until then they count as if they were not done. */
export function createLosses({ open, settle, spoil, log }: LossesDeps) {
  const batches = new Map<string, Batch>()
  const settling = new Set<Promise<void>>()
  const background = new Set<Promise<void>>()

  function batchFor(subjects: readonly string[]): Batch {
    const key = subjects.join('\n')
    const known = batches.get(key)
    if (known !== undefined) return known
    const id = Bun.randomUUIDv7()
    const batch: Batch = { id, subjects, opened: open(id, subjects), bytes: 0, files: 0, running: 0, isClosed: false }
    batches.set(key, batch)
    setTimeout(() => close(key, batch), SETTLED_AFTER_MS).unref()
    return batch
  }

  function close(key: string, batch: Batch): void {
    if (batch.isClosed) return
    if (batches.get(key) === batch) batches.delete(key)
    batch.isClosed = true
    if (batch.running === 0) write(batch)
  }

  function write({ id, subjects, opened, bytes, files }: Batch): void {
    const writing = opened
      .then(() => settle(id, subjects, { bytes: -bytes, files: -files }))
      // The row that is left says that the quotas have to be counted.
      .catch((error: unknown) => log(`quotas: a removal will be counted later: ${String(error)}`))
      .finally(() => settling.delete(writing))
    settling.add(writing)
  }

  /** A removal that has begun; `end` has to be called. */
  async function begun(subjects: readonly string[]) {
    const batch = batchFor(subjects)
    batch.running++
    const end = (): void => {
      batch.running--
      if (batch.running === 0 && batch.isClosed) write(batch)
    }
    try {
      await batch.opened
    } catch (error) {
      end()
      throw error
    }
    return {
      removed({ bytes, files }: Amount): void {
        batch.bytes += bytes
        batch.files += files
      },
      end,
    }
  }

  /** Counts what is gone; if nobody can, its quotas are counted anew. */
  async function countGone(subjects: readonly string[], measure: () => Promise<Amount | null>): Promise<Amount> {
    const gone = await measure().catch((error: unknown) => {
      log(`quotas: a removal will be counted later: ${String(error)}`)
      return null
    })
    if (gone === null) await spoil(subjects)
    return gone ?? NOTHING
  }

  return {
    /** Runs a removal. @param run removes, and says what is gone */
    async during<T>(subjects: readonly string[], run: (removed: (amount: Amount) => void) => Promise<T>): Promise<T> {
      const { removed, end } = await begun(subjects)
      try {
        return await run(removed)
      } finally {
        end()
      }
    },

    /**
     * Runs the removal of a whole tree in one step; what was in it is counted afterwards.
     * @param measure of what `run` returned: what is gone, or null if nobody knows
     */
    async counting<T>(subjects: readonly string[], run: () => Promise<T>, measure: (result: T) => Promise<Amount | null>): Promise<T> {
      const { removed, end } = await begun(subjects)
      let result: T
      try {
        result = await run()
      } catch (error) {
        end()
        throw error
      }
      const work = countGone(subjects, () => measure(result))
        .then(removed)
        .catch((error: unknown) => log(`quotas: a removal will be counted later: ${String(error)}`))
        .finally(() => {
          end()
          background.delete(work)
        })
      background.add(work)
      return result
    },

    isWaiting: (): boolean => batches.size + settling.size + background.size > 0,

    async settled(): Promise<void> {
      await Promise.allSettled(background)
      for (const [key, batch] of batches) close(key, batch)
      await Promise.allSettled(settling)
    },
  }
}
