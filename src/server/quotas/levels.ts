import type { Kysely } from 'kysely'
import { inTransaction } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { QuotaStore, StoredQuota } from './store.ts'

/** How far a quota is used up, in percent: from 80, and when less than one percent is free. */
export type QuotaLevel = 0 | 80 | 100

const NEARLY = 0.8
const FULL = 0.99
/** Changes of this time are looked at together. */
const AFTER_MS = 1000

export interface QuotaTeller {
  /** If not, nothing is looked at. */
  readonly isOn: () => Promise<boolean>
  /** Whom a higher level is told. @returns what writes it down, in the transaction that notes the level */
  readonly tell: (quota: StoredQuota, level: Exclude<QuotaLevel, 0>) => Promise<(trx: Kysely<Schema>) => Promise<void>>
  /** Called when it is written down. */
  readonly told: () => void
}

export function levelOf({ used, maxBytes, maxFiles }: Pick<StoredQuota, 'used' | 'maxBytes' | 'maxFiles'>): QuotaLevel {
  if (used === null) return 0
  const part = Math.max(partOf(used.bytes, maxBytes), partOf(used.files, maxFiles))
  return part >= FULL ? 100 : part >= NEARLY ? 80 : 0
}

/** How much of a limit is used. A limit of nothing is a lock, which nobody needs to be told of. */
export function partOf(used: number, most: number | null): number {
  return most === null || most === 0 ? 0 : used / most
}

export interface LevelsDeps {
  readonly db: Kysely<Schema>
  readonly store: Pick<QuotaStore, 'find' | 'all'>
  readonly log: (line: string) => void
}

/** Tells of each level that a quota reaches, once until it falls below it again, also with several servers: the level told is in the quota's row. */
export function createLevels({ db, store, log }: LevelsDeps) {
  let teller: QuotaTeller | null = null
  let waiting = new Set<string>()
  let timer: Timer | null = null
  let looking: Promise<void> = Promise.resolve()

  async function look(subject: string): Promise<void> {
    const quota = await store.find(subject)
    if (quota === null || quota.used === null || teller === null) return
    const level = levelOf(quota)
    if (level === quota.told) return
    const write = level > quota.told && level !== 0 ? await teller.tell(quota, level) : null
    const isFirst = await inTransaction(db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('quotas')
        .set({ told: level })
        .where('subject', '=', subject)
        .where('told', '=', quota.told)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      await write?.(trx)
      return true
    })
    if (isFirst && write !== null) teller.told()
  }

  async function lookAtAll(): Promise<void> {
    timer = null
    const subjects = waiting
    waiting = new Set()
    if (teller === null || !(await teller.isOn())) return
    for (const subject of subjects) await look(subject)
  }

  return {
    set(given: QuotaTeller): void {
      teller = given
    },

    /** What these count may have changed. */
    changed(subjects: readonly string[]): void {
      if (teller === null || subjects.length === 0) return
      for (const subject of subjects) waiting.add(subject)
      if (timer !== null) return
      timer = setTimeout(() => {
        looking = looking.then(lookAtAll).catch((error: unknown) => log(`quotas: ${String(error)}`))
      }, AFTER_MS)
      timer.unref()
    },

    async stop(): Promise<void> {
      if (timer !== null) clearTimeout(timer)
      await looking
    },
  }
}

export type Levels = ReturnType<typeof createLevels>
