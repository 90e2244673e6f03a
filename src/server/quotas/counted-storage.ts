import { type FilePath, parseFilePath, placeUnder, ROOT } from '../../shared/file-path.ts'
import { isAppError } from '../../shared/errors.ts'
import { createKeyedMutex } from '../../shared/keyed-mutex.ts'
import { type Kept, pathOf, type Stat, type Storage, type Where } from '../storage/storage.ts'
import { partsOf } from './accounting.ts'
import { type CountedDeps, countedStaging, type Replace } from './counted-staging.ts'
import { measureBelow, measureKept, measureNode } from './measure.ts'
import type { QuotaMap } from './quota-map.ts'
import { type Amount, NOTHING, type Part } from './store.ts'

/**
 * What is replaced, moved or removed is looked at, then changed: nobody else changes it in between. A save holds the lock of the file itself already.
 */
const LOCKS = parseFilePath('/.satchel/quotas')
const changes = createKeyedMutex()
/** How often something may appear and disappear while we look. */
const MOST_TRIES = 5

/**
 * The storage as one account changes it: everything that appears, disappears or moves is counted by the quotas of its folders, and what an account
 * adds is refused with `quota-exceeded` if its own have no room. What is kept in the trash and as versions is not counted. Code that changes the storage
 * by another way has to be counted afterwards.
 */
export function countedStorage(deps: CountedDeps): Storage {
  const { storage, maps, accounting, spoiled, limitsAt } = deps

  /** Makes a change that adds this to each of these quotas. */
  async function changing<T>(parts: readonly Part[], run: () => Promise<T>, isDone: (result: T) => boolean = () => true): Promise<T> {
    if (parts.length === 0) return run()
    const id = Bun.randomUUIDv7()
    await accounting.begin(id, parts, { isPublishing: true })
    let result: T
    try {
      result = await run()
    } catch (error) {
      accounting.release(id)
      if (!isNotDone(error)) await spoiled(parts.map(({ subject }) => subject))
      throw error
    }
    if (isDone(result)) accounting.settle(id, parts)
    else accounting.release(id)
    return result
  }

  const addedTo = (map: QuotaMap, path: FilePath, amount: Amount): Part[] =>
    partsOf({ ...limitsAt(map, path), counting: map.at(path) }, amount)

  /** Runs something while nobody else replaces, moves or removes what is at these paths. */
  function locking<T>(paths: readonly FilePath[], run: () => Promise<T>): Promise<T> {
    // In a fixed order: two renames that replace each other's source would wait for each other otherwise.
    const keys = [...new Set(paths.map((path) => placeUnder(LOCKS, path)))].toSorted()
    const together = (): Promise<T> => storage.exclusively?.(keys, run) ?? run()
    return keys.reduceRight<() => Promise<T>>((work, key) => () => changes(key, work), together)()
  }

  /** Runs something that may replace what is at `path` while nobody else changes that, nor what is at `others`. */
  function replacing<T>(path: FilePath, { replace, others = [] }: Replacing, run: Replace<T>): Promise<T> {
    if (replace) return locking([path, ...others], () => lookAndRun(path, run))
    return others.length === 0 ? run(null, { replace }) : locking(others, () => run(null, { replace }))
  }

  async function lookAndRun<T>(path: FilePath, run: Replace<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const old = await storage.stat(path)
      if (old !== null) return run(old, { replace: true })
      // Creating takes no lock: what appears at this moment would be replaced without being counted.
      try {
        return await run(null, { replace: false })
      } catch (error) {
        if (!isAppError(error, 'already-exists') || tries === MOST_TRIES) throw error
      }
    }
  }

  async function moveCounted(map: QuotaMap, { from, to, old, run }: Move): Promise<boolean> {
    const [before, after] = [map.at(from), map.at(to)]
    const gains = after.filter((subject) => !before.includes(subject))
    const losses = before.filter((subject) => !after.includes(subject))
    const source = await storage.stat(from)
    const isReplaced = old !== null && old.identity !== source?.identity
    const renamed = [...map.below(from), ...map.below(to)]
    if (gains.length === 0 && losses.length === 0 && !isReplaced) {
      // A count that runs at this moment may find it twice, or not at all.
      const isMoved = after.length === 0 ? await run() : await accounting.losses.during(after, run)
      if (isMoved && renamed.length > 0) await spoiled(renamed)
      return isMoved
    }
    const amount = gains.length + losses.length === 0 ? NOTHING : await measureNode(storage, from)
    const gone = isReplaced ? sizeOf(old) : NOTHING
    const { limiting, hidden } = limitsAt(map, to)
    const parts = [...new Set([...before, ...after])].map((subject): Part => {
      const gained = gains.includes(subject) ? amount : NOTHING
      const lost = losses.includes(subject) ? amount : NOTHING
      const freed = after.includes(subject) ? gone : NOTHING
      const isLimited = gains.includes(subject) && limiting.includes(subject)
      return { subject, ...minus(minus(gained, lost), freed), isLimited, isHidden: hidden.includes(subject), isCounted: true }
    })
    const isMoved = await changing(parts, run, (done) => done)
    // Something in a folder may have changed since it was measured.
    if (isMoved && source?.kind === 'folder') await spoiled([...gains, ...losses, ...renamed])
    return isMoved
  }

  const counted: Partial<Storage> = {
    stage(id, options) {
      const staged = storage.stage(id, options)
      return maps.readNow()?.isEmpty === true ? staged : countedStaging({ ...deps, replacing, isNotDone }, staged, options)
    },

    async makeFolder(where: Where) {
      const map = await maps.read()
      if (map.isEmpty) return storage.makeFolder(where)
      return changing(addedTo(map, pathOf(where), { bytes: 0, files: 1 }), () => storage.makeFolder(where))
    },

    async move(from, to, options) {
      const map = await maps.read()
      if (map.isEmpty) return storage.move(from, to, options)
      const [source, target] = [pathOf(from), pathOf(to)]
      return replacing(target, { ...options, others: [source] }, (old, { replace }) =>
        moveCounted(map, { from: source, to: target, old, run: () => storage.move(from, to, { ...options, replace }) }),
      )
    },

    async remove(where) {
      const map = await maps.read()
      const path = pathOf(where)
      const subjects = map.at(path)
      if (subjects.length === 0) return storage.remove(where)
      return locking([path], async () => {
        const stat = await storage.stat(where)
        return accounting.losses.during(subjects, async (removed) => {
          await storage.remove(where)
          if (stat !== null) removed(sizeOf(stat))
        })
      })
    },

    async keep(where, kept) {
      const map = await maps.read()
      const path = pathOf(where)
      const subjects = map.at(path)
      if (subjects.length === 0) return storage.keep(where, kept)
      return locking([path], () =>
        accounting.losses.counting(
          subjects,
          () => storage.keep(where, kept),
          (stat) => sizeOfKept(kept, stat),
        ),
      )
    },

    async restoreKept(kept, to, options) {
      const map = await maps.read()
      if (map.isEmpty) return storage.restoreKept(kept, to, options)
      const path = pathOf(to)
      return replacing(path, options, async (old, { replace }) => {
        const amount = minus(await measureKept(storage, kept), old === null ? NOTHING : sizeOf(old))
        const restore = () => storage.restoreKept(kept, to, { ...options, replace })
        return changing(addedTo(map, path, amount), restore, (isRestored) => isRestored)
      })
    },
  }

  async function sizeOfKept(kept: Kept, stat: Stat | null): Promise<Amount | null> {
    if (stat === null) return NOTHING
    if (stat.kind !== 'folder') return sizeOf(stat)
    const below = await measureBelow({ list: (where) => storage.listKept(kept, pathOf(where)) }, ROOT)
    // It may have been removed for good meanwhile.
    return (await storage.statKept(kept)) === null ? null : { ...below, files: below.files + 1 }
  }

  return { ...storage, ...counted, base: storage.base ?? storage }
}

interface Replacing {
  readonly replace: boolean
  readonly others?: readonly FilePath[]
}

interface Move {
  readonly from: FilePath
  readonly to: FilePath
  /** What is at `to` and is going to be replaced. */
  readonly old: Stat | null
  readonly run: () => Promise<boolean>
}

/** What a node counts, without what is in it. */
export function sizeOf({ kind, size }: Pick<Stat, 'kind' | 'size'>): Amount {
  return { bytes: kind === 'folder' ? 0 : size, files: 1 }
}

export function minus(a: Amount, b: Amount): Amount {
  return { bytes: a.bytes - b.bytes, files: a.files - b.files }
}

/** Whether an error says that nothing has been changed. */
export function isNotDone(error: unknown): boolean {
  return isAppError(error, 'already-exists') || isAppError(error, 'not-found') || isAppError(error, 'forbidden')
}
