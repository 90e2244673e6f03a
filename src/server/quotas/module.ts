import type { Kysely } from 'kysely'
import { nullOn } from '../../shared/errors.ts'
import { type FilePath, ROOT } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../drive/operation.ts'
import type { ExpectedFile, Room } from '../drive/room.ts'
import type { Storage } from '../storage/storage.ts'
import { createAccounting, partsOf } from './accounting.ts'
import { countedStorage } from './counted-storage.ts'
import type { LimitsAt } from './counted-staging.ts'
import { createCounting } from './counting.ts'
import { createLevels } from './levels.ts'
import { createQuotaMaps } from './quota-map.ts'
import { createQuotas } from './quotas.ts'
import { type Amount, createQuotaStore, NOTHING, type Part, type Replaced } from './store.ts'

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

  return {
    services: { quotas },
    /** Who is told when a quota is nearly, or completely, used up. */
    onLevel: levels.set,
    findQuota: store.find,

    /** The storage as this person changes it; see `countedStorage`. */
    storageFor: (actor: Actor): Storage =>
      countedStorage({ storage, maps, accounting, spoiled, limitsAt: limitsOf(actor), isVisitor: actor?.via === 'link' }),

    roomFor(actor: NonNullable<Actor>): Room {
      const held = new Set<string>()
      const limitsAt = limitsOf(actor)
      return {
        isLimited: async () => !(await maps.read()).isEmpty,
        async reserve(id, files, purpose) {
          const map = await maps.read()
          const parts = (of: (file: ExpectedFile) => Amount): Part[] =>
            sumsOf(files.flatMap((file) => partsOf({ ...limitsAt(map, file.path), counting: [] }, of(file))))
          const whole = parts(({ bytes }) => ({ bytes, files: 1 }))
          if (purpose === 'visit') return accounting.requireRoom(whole)
          if (purpose === 'upload') return accounting.reserveUpload(id, whole, replacedBy(files))
          const added = parts(({ bytes, old }) => ({ bytes: Math.max(0, bytes - (old ?? 0)), files: old === null ? 1 : 0 }))
          await accounting.begin(id, added, { isPublishing: false })
          held.add(id)
        },
        async release(id) {
          if (held.delete(id)) accounting.release(id)
        },
      }
    },

    /** The bytes that somebody may have by the strictest of their quotas; null for no limit. */
    async mostBytesOf(userId: number): Promise<number | null> {
      const limiting = (await maps.read()).limiting(userId)
      const bytes = (await store.all()).flatMap(({ subject, maxBytes }) =>
        maxBytes !== null && limiting.includes(subject) ? [maxBytes] : [],
      )
      return bytes.length === 0 ? null : Math.min(...bytes)
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

/** What a person adds in their own folder, their quotas limit; in what is somebody else's, those that count it as well. */
function limitsOf(actor: Actor): LimitsAt {
  const isVisitor = actor?.via === 'link'
  return (map, path) => {
    const own = map.limiting(actor === null ? null : (actor.addsFor ?? actor.id))
    if (!isVisitor && actor?.inShare !== true) return { limiting: own, hidden: [] }
    const limiting = [...new Set([...own, ...map.at(path)])]
    // Neither visitors nor recipients learn what the owner has.
    return { limiting, hidden: isVisitor ? limiting : limiting.filter((subject) => !own.includes(subject)) }
  }
}

/** What all together add to each quota. */
function sumsOf(parts: readonly Part[]): Part[] {
  const sums = new Map<string, Part>()
  for (const part of parts) {
    const { bytes, files } = sums.get(part.subject) ?? NOTHING
    sums.set(part.subject, { ...part, bytes: part.bytes + bytes, files: part.files + files })
  }
  return [...sums.values()]
}

function replacedBy([file]: readonly ExpectedFile[]): Replaced | undefined {
  return file === undefined || file.old === null ? undefined : { path: file.path, bytes: file.old, files: 1 }
}
