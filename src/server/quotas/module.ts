import type { Kysely } from 'kysely'
import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../drive/operation.ts'
import type { Room } from '../drive/room.ts'
import type { Storage } from '../storage/storage.ts'
import { type Accounting, createAccounting, partsOf } from './accounting.ts'
import { countedStorage } from './counted-storage.ts'
import { createCounting } from './counting.ts'
import { createLevels } from './levels.ts'
import { createQuotaMaps } from './quota-map.ts'
import { createQuotas } from './quotas.ts'
import { createQuotaStore } from './store.ts'

export interface QuotasModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly storage: Storage
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Quotas: what may lie in the folders of people and groups, and in all that is served. */
export function createQuotasModule({ db, bus, storage, clock, log }: QuotasModuleOptions) {
  const store = createQuotaStore(db)

  async function placeOf(scope: FilePath): Promise<FilePath | null> {
    const found = await nullOn('not-found', storage.find(scope, { within: ROOT, leaf: 'follow', names: 'listed' }))
    found?.[Symbol.dispose]()
    return found?.path ?? null
  }
  const maps = createQuotaMaps({ store, bus, clock, placeOf })
  const levels = createLevels({ db, store, log })
  const accounting = createAccounting({ store, clock, log, count: (subject) => counting.count(subject), onSettled: levels.changed })
  const counting = createCounting({
    store,
    maps,
    storage,
    settled: accounting.settled,
    onCounted: (subject) => levels.changed([subject]),
    clock,
    log,
  })
  const spoiled = (subjects: readonly string[]) => counting.spoiled(subjects)
  const quotas = createQuotas({ store, maps, counting, onLimits: (subject) => levels.changed([subject]), settled: accounting.settled, bus })

  /** Visitors of a link learn nothing about what its owner has. */
  const accountingFor = (actor: Actor): Accounting => (actor?.via === 'link' ? withoutNumbers(accounting) : accounting)

  return {
    services: { quotas },
    /** Who is told when a quota is nearly, or completely, used up. */
    onLevel: levels.set,
    findQuota: store.find,

    /** The storage as this person changes it; see `countedStorage`. */
    storageFor: (actor: Actor): Storage =>
      countedStorage({ storage, maps, accounting: accountingFor(actor), spoiled }, actor === null ? null : actor.id),

    roomFor(actor: NonNullable<Actor>): Room {
      const held = new Set<string>()
      const limiting = async () => (await maps.read()).limiting(actor.id)
      const mine = accountingFor(actor)
      return {
        isLimited: async () => (await limiting()).length > 0,
        async reserve(id, amount, purpose) {
          const parts = partsOf({ limiting: await limiting(), counting: [] }, amount)
          if (purpose === 'upload') return mine.reserveUpload(id, parts)
          await mine.begin(id, parts, { isPublishing: false })
          held.add(id)
        },
        async release(id) {
          if (held.delete(id)) mine.release(id)
        },
      }
    },

    /** What other programs changed. */
    outside: {
      isWaiting: async () => !(await maps.read()).isEmpty,
      async onChanged(paths: readonly FilePath[]): Promise<void> {
        const map = await maps.read()
        await spoiled([...new Set(paths.flatMap((path) => [...map.at(path), ...map.below(path)]))])
      },
    },

    /** Call it once, at the start. */
    recover: () => counting.sweep(),
    sweeps: { quotas: () => counting.sweep() },

    async stop(): Promise<void> {
      await accounting.stop()
      await counting.stop()
      await levels.stop()
    },
  }
}

function withoutNumbers(accounting: Accounting): Accounting {
  async function hidden<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (isAppError(error, 'quota-exceeded')) fail('storage-full', {}, { cause: error })
      throw error
    }
  }
  return {
    ...accounting,
    begin: (...args) => hidden(accounting.begin(...args)),
    reserveUpload: (...args) => hidden(accounting.reserveUpload(...args)),
  }
}
