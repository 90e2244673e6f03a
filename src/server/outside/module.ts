import type { Kysely } from 'kysely'
import type { FilePath } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import type { FoundNode } from '../../shared/found-node.ts'
import type { Schema } from '../db/schema.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { type Burst, burstsOf, freshFolders, isInAny } from './bursts.ts'
import { createOwnChanges } from './own-changes.ts'
import { createOutsideStore } from './store.ts'
import { createPending } from './pending.ts'

const DAY_MS = 24 * 3600_000
const JUDGE_EVERY_MS = 2000
/** A new folder may be filled for some time. */
const FRESH_MS = 10 * 60_000
const MOST_FRESH = 10_000
const MOST_APART = 10

export interface OutsideModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly settings: SettingsReader
  readonly clock: () => Date
  readonly log: (line: string) => void
  /** Whether somebody wants to know, also if nothing is recorded, and who is told of these storage paths. */
  readonly follower?: { isWaiting: () => Promise<boolean>; onChanged: (paths: readonly FilePath[]) => Promise<void> }
  /** What the server itself writes, if that is below the served folder. */
  readonly ownPlaces?: readonly FilePath[] | undefined
}

/** What other programs changed below the served folder: what the index finds there and nobody did through Satchel. */
export function createOutsideModule({ db, bus, settings, clock, log, follower, ownPlaces = [] }: OutsideModuleOptions) {
  const store = createOutsideStore(db)
  const own = createOwnChanges({ db, clock })
  const pending = createPending()
  /** Folders that appeared a moment ago, and when. */
  const fresh = new Map<FilePath, number>()
  let timer: Timer | null = null
  let judging: Promise<void> = Promise.resolve()

  const unsubscribe = [
    bus.on('files.changed', ({ storagePaths }) => {
      for (const path of storagePaths) own.end(path)
    }),
    bus.on('files.found', ({ changes }) => {
      pending.add(changes.filter(({ path }) => !isInAny(ownPlaces, path)))
      schedule()
    }),
  ]

  /** Runs only while something waits. */
  function schedule(): void {
    if (timer !== null || pending.isEmpty()) return
    timer = setTimeout(() => {
      timer = null
      judging = judge(pending.due(clock().getTime())).then(schedule)
    }, JUDGE_EVERY_MS)
    timer.unref()
  }

  /** A program that fills a new folder for some time does not get an entry for each folder in it. */
  function joinedIfMany(outside: readonly FoundNode[]): Burst[] {
    const bursts = burstsOf(outside)
    return bursts.length > MOST_APART ? burstsOf(outside, { known: fresh.keys() }) : bursts
  }

  async function judge(due: readonly FoundNode[]): Promise<void> {
    try {
      const { activityDays } = await settings.read()
      const isRecorded = activityDays > 0
      const outside = isRecorded || (await follower?.isWaiting()) === true ? await own.without(due) : []
      const now = clock().getTime()
      for (const [path, at] of fresh) if (at < now - FRESH_MS || fresh.size > MOST_FRESH) fresh.delete(path)
      if (isRecorded) for (const burst of joinedIfMany(outside)) await store.add(burst)
      for (const path of freshFolders(outside)) fresh.set(path, now)
      if (outside.length > 0) await follower?.onChanged(outside.map(({ path }) => path))
    } catch (error) {
      log(`outside changes: not recorded: ${String(error)}`)
    }
    own.tidy()
  }

  return {
    store,
    /** The recorder of a Drive, whose changes are known as Satchel's own. */
    watching: own.watching,
    sweeps: {
      async outside(): Promise<void> {
        const { activityDays } = await settings.read()
        await store.sweep({ until: clock().getTime() - activityDays * DAY_MS })
      },
    },
    /** For tests: everything that was found until now is recorded. */
    async settled(): Promise<void> {
      await judging
      await judge(pending.due(Infinity))
    },
    async stop(): Promise<void> {
      for (const end of unsubscribe) end()
      if (timer !== null) clearTimeout(timer)
      await judging
    },
  }
}
