import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import type { Kysely } from 'kysely'
import type { AuditEntry } from '../../shared/contract/audit.ts'
import type { AuditEvent } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import { eraseAddresses, type Filter, findEntries, insertEntries, removeOld } from './store.ts'

/** Records what administrators did and who signed in, as it was at that moment. */
export type Trail = ReturnType<typeof createTrail>

export interface TrailOptions {
  readonly db: Kysely<Schema>
  readonly clock: () => Date
  /** How long entries are kept, and whether with the addresses of clients. */
  readonly kept: () => Promise<{ readonly activityDays: number; readonly activityAddresses: boolean }>
  readonly log: (line: string) => void
}

const DAY_MS = 24 * 3600_000
const EXPORT_PAGE = 500
const ENTRIES_AT_ONCE = 500
/** Upper limit within that time: attackers who guess must not fill the disk. */
const MOST_ENTRIES = 200_000

export function createTrail({ db, clock, kept, log }: TrailOptions) {
  const oneByOne = createKeyedMutex()
  const waiting: { readonly noted: AuditEvent; readonly at: Date }[] = []

  /** Writes what has been noted meanwhile with one statement. */
  async function write(): Promise<void> {
    const batch = waiting.splice(0, ENTRIES_AT_ONCE)
    try {
      if (batch.length === 0) return
      const { activityDays, activityAddresses } = await kept()
      if (activityDays > 0) await insertEntries(db, activityAddresses ? batch : batch.map(withoutAddress))
    } catch (error) {
      for (const { noted } of batch) log(`audit: ${noted.kind} was not written: ${String(error)}`)
    }
  }

  async function page(filter: Filter, { before, limit }: { before: number | null; limit: number }) {
    const found = await findEntries(db, filter, { before, limit: limit + 1 })
    const entries = found.slice(0, limit)
    return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null }
  }

  return {
    /** Writes one entry after those before it; a failure is logged. Meant as a listener of the bus. */
    note(noted: AuditEvent): void {
      const at = clock()
      // Shortening the retention cannot remove this line.
      const days = noted.details?.find(({ place }) => place === 'activityDays')
      if (days !== undefined)
        log(`audit: ${noted.by?.name ?? ''} (${noted.address ?? ''}) changed activityDays from ${days.before} to ${days.after}`)
      waiting.push({ noted, at })
      void oneByOne('write', write)
    },
    /** The latest first, only entries before `before`. @returns where the next page begins; null after the last */
    page,
    /** Every entry, the latest first, read on demand. */
    async *all(filter: Filter): AsyncGenerator<AuditEntry> {
      let before: number | null = null
      do {
        const { entries, next }: Awaited<ReturnType<typeof page>> = await page(filter, { before, limit: EXPORT_PAGE })
        yield* entries
        before = next
      } while (before !== null)
    },
    /** Resolves when all entries so far are written. */
    settled: (): Promise<void> => oneByOne('write', async () => undefined),
    /** Removes entries older than the settings allow, and addresses if they are not kept; call it periodically. */
    async sweep(): Promise<void> {
      const { activityDays, activityAddresses } = await kept()
      await removeOld(db, { until: clock().getTime() - activityDays * DAY_MS, most: MOST_ENTRIES })
      if (!activityAddresses) await eraseAddresses(db)
    },
  }
}

function withoutAddress({ noted, at }: { noted: AuditEvent; at: Date }): { noted: AuditEvent; at: Date } {
  return { noted: { ...noted, address: null }, at }
}
