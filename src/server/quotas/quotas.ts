import { detailsOf } from '../../shared/audit-details.ts'
import type { Subject } from '../../shared/contract/groups.ts'
import type { OwnQuota, Quota } from '../../shared/contract/quotas.ts'
import { fail } from '../../shared/errors.ts'
import { subjectFrom, subjectKey } from '../../shared/subject-key.ts'
import { type Viewer, performerOf } from '../access/viewer.ts'
import type { Bus } from '../bus/bus.ts'
import type { Counting } from './counting.ts'
import type { QuotaMaps } from './quota-map.ts'
import type { Holding, QuotaLimits, QuotaStore } from './store.ts'

export interface QuotasDeps {
  readonly store: QuotaStore
  readonly maps: QuotaMaps
  readonly counting: Counting
  readonly settled: () => Promise<void>
  /** A quota has other limits. */
  readonly onLimits: (subject: string) => void
  readonly bus: Bus
}

/** Total and used bytes. */
export interface Space {
  readonly total: number
  readonly used: number
}

export type Quotas = ReturnType<typeof createQuotas>

/** Quotas as people see and administrators change them. */
export function createQuotas({ store, maps, counting, settled, onLimits, bus }: QuotasDeps) {
  async function limitingOf(userId: number): Promise<Holding[]> {
    const subjects = (await maps.read()).limiting(userId)
    if (subjects.length === 0) return []
    await settled()
    const found = await store.holding(subjects)
    return subjects.flatMap((subject) => found.filter(({ quota }) => quota.subject === subject))
  }

  async function one(subject: string): Promise<Quota> {
    const [found] = await store.holding([subject])
    return found === undefined ? fail('not-found', {}) : { who: subjectFrom(subject), ...shown(found) }
  }

  return {
    async all(): Promise<Quota[]> {
      await settled()
      return (await store.holding()).map((found) => ({ who: subjectFrom(found.quota.subject), ...shown(found) }))
    },

    async of({ userId }: Pick<Viewer, 'userId'>): Promise<OwnQuota[]> {
      return Promise.all(
        (await limitingOf(userId)).map(async (found) => {
          const { kind, id } = subjectFrom(found.quota.subject)
          return { kind, name: kind === 'group' ? await store.groupName(id) : '', ...shown(found) }
        }),
      )
    },

    /** The least that is free: of the disk, or of a quota. */
    async spaceOf({ userId }: Pick<Viewer, 'userId'>, disk: Space): Promise<Space> {
      let least = disk
      for (const found of await limitingOf(userId)) {
        const { bytes } = shown(found)
        if (bytes === null || bytes.used === null) continue
        if (bytes.limit - bytes.used < least.total - least.used) least = { total: bytes.limit, used: bytes.used }
      }
      return { total: least.total, used: least.used }
    },

    /** Fails with `not-found`. It is counted at once, as far as it was not. */
    async set(who: Subject, limits: QuotaLimits, { viewer, address }: { viewer: Viewer; address: string | null }): Promise<void> {
      const subject = subjectKey(who)
      const name = await store.nameOf(who)
      if (name === null) fail('not-found', {})
      const before = await store.find(subject)
      await store.set(subject, limits)
      bus.announce('quota.changed', {})
      await maps.read()
      await counting.spoiled([subject])
      onLimits(subject)
      const details = detailsOf(limitsText(before), limitsText(limits))
      if (details.length > 0) bus.announce('noted', { kind: 'quota-changed', by: performerOf(viewer), address, subject: name, details })
    },

    async count(who: Subject): Promise<Quota> {
      const subject = subjectKey(who)
      if ((await store.find(subject)) === null) fail('not-found', {})
      await settled()
      await counting.count(subject)
      return one(subject)
    },
  }
}

/** For the activity log. */
export function limitsText(limits: QuotaLimits | null): object {
  return {
    ...(typeof limits?.maxBytes === 'number' && { bytes: limits.maxBytes }),
    ...(typeof limits?.maxFiles === 'number' && { files: limits.maxFiles }),
  }
}

function shown({ quota, reserved }: Holding): Pick<Quota, 'bytes' | 'files'> {
  const limit = (most: number | null, used: number | undefined, more: number) =>
    most === null ? null : { limit: most, used: used === undefined ? null : Math.max(0, used + more) }
  return {
    bytes: limit(quota.maxBytes, quota.used?.bytes, reserved.bytes),
    files: limit(quota.maxFiles, quota.used?.files, reserved.files),
  }
}
