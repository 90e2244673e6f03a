import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Bus } from '../bus/bus.ts'
import type { QuotaStore } from './store.ts'

/** The quota of everybody, which counts everything that is served. */
export const EVERYBODY = 'everybody'

/** A change that this server was not told of counts after this long. */
const KEPT_MS = 1000

/** Whom quotas limit, and what they count. */
export interface QuotaMap {
  readonly isEmpty: boolean
  /** The quotas that count a node with this storage path. */
  at(path: FilePath): readonly string[]
  /** The quotas that limit what an account adds; none for the server itself. */
  limiting(userId: number | null): readonly string[]
  /** The folders that a quota counts, none of them in another one. */
  folders(subject: string): readonly FilePath[]
  /** Quotas with a folder in this one: renaming it changes what they count. */
  below(folder: FilePath): readonly string[]
}

const NO_QUOTAS: QuotaMap = { isEmpty: true, at: () => [], limiting: () => [], folders: () => [], below: () => [] }

export interface QuotaMapDeps {
  readonly store: Pick<QuotaStore, 'all' | 'scopes' | 'follow'>
  readonly bus: Pick<Bus, 'on'>
  readonly clock: () => Date
  /** The storage path of an account's folder, links resolved; null if it does not exist. */
  readonly placeOf: (scope: FilePath) => Promise<FilePath | null>
}

/** The current quotas, kept until something about them changes. */
export function createQuotaMaps({ store, bus, clock, placeOf }: QuotaMapDeps) {
  let kept: { map: QuotaMap; at: number } | null = null
  let loading: Promise<QuotaMap> | null = null
  let changes = 0
  for (const topic of ['quota.changed', 'user.changed', 'group.changed'] as const)
    bus.on(topic, () => {
      changes += 1
      kept = null
      loading = null
    })

  async function load(): Promise<QuotaMap> {
    const [before, at] = [changes, clock().getTime()]
    const map = await mapOf(store, placeOf)
    if (before === changes) kept = { map, at }
    return map
  }

  function readNow(): QuotaMap | null {
    return kept !== null && Math.abs(clock().getTime() - kept.at) < KEPT_MS ? kept.map : null
  }

  return {
    /** Null if it has to be looked up. */
    readNow,
    async read(): Promise<QuotaMap> {
      const now = readNow()
      if (now !== null) return now
      const mine = (loading ??= load())
      try {
        return await mine
      } finally {
        if (loading === mine) loading = null
      }
    },
  }
}

export type QuotaMaps = ReturnType<typeof createQuotaMaps>

async function mapOf(store: QuotaMapDeps['store'], placeOf: QuotaMapDeps['placeOf']): Promise<QuotaMap> {
  const quotas = await store.all()
  if (quotas.length === 0) return NO_QUOTAS
  const folders = new Map<string, FilePath[]>()
  const limiting = new Map<number, string[]>()
  for (const { subject, userId, scope } of await store.scopes()) {
    limiting.set(userId, [...(limiting.get(userId) ?? []), subject])
    const folder = cleanScope(scope)
    folders.set(subject, [...(folders.get(subject) ?? []), (await placeOf(folder)) ?? folder])
  }
  // A group without members counts nothing.
  for (const { subject } of quotas) if (!folders.has(subject)) folders.set(subject, [])
  const isForAll = quotas.some(({ subject }) => subject === EVERYBODY)
  if (isForAll) folders.set(EVERYBODY, [ROOT])
  const countedBefore = new Map(quotas.map((quota) => [quota.subject, quota.folders]))
  const byFolder = new Map<FilePath, string[]>()
  for (const [subject, all] of folders) {
    const tops = uppermost(all).toSorted()
    folders.set(subject, tops)
    const counted = JSON.stringify(tops)
    if (countedBefore.get(subject) !== counted) await store.follow(subject, counted)
    for (const folder of tops) byFolder.set(folder, [...(byFolder.get(folder) ?? []), subject])
  }

  return {
    isEmpty: false,
    at(path) {
      const found: string[] = []
      // A folder does not count for its own quota, and nothing else is at its path.
      for (let folder = path; folder !== ROOT;) {
        folder = parentOf(folder)
        found.push(...(byFolder.get(folder) ?? []))
      }
      return found
    },
    limiting(userId) {
      if (userId === null) return []
      const own = limiting.get(userId) ?? []
      return isForAll ? [...own, EVERYBODY] : own
    },
    folders: (subject) => folders.get(subject) ?? [],
    below(folder) {
      const found = new Set<string>()
      for (const [path, subjects] of byFolder) if (isWithin(path, folder)) for (const subject of subjects) found.add(subject)
      return [...found]
    },
  }
}

/** Without folders that are in another one. */
function uppermost(folders: readonly FilePath[]): FilePath[] {
  const tops: FilePath[] = []
  for (const folder of folders.toSorted((a, b) => a.length - b.length)) if (!tops.some((top) => isWithin(folder, top))) tops.push(folder)
  return tops
}
