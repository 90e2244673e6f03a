import { periodicYield } from '../drive/checkpoint.ts'
import type { Settings } from '../settings/settings.ts'
import type { Dropper } from './dropper.ts'
import type { Replaced, VersionStore } from './store.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** All versions of the last day, then the last one of each hour, day and week. */
const STEPS = [
  { after: DAY_MS, one: HOUR_MS },
  { after: 7 * DAY_MS, one: DAY_MS },
  { after: 90 * DAY_MS, one: 7 * DAY_MS },
] as const
const TIERS = STEPS.length + 1

export interface ThinningDeps {
  readonly store: VersionStore
  readonly dropper: Pick<Dropper, 'run'>
  readonly settings: { read(): Promise<Pick<Settings, 'versionDays'>> }
  readonly clock: () => Date
}

/** Removes what is too old, and thins out the rest; call it periodically. Each version is looked at once for each step. */
export async function thinOut({ store, dropper, settings, clock }: ThinningDeps): Promise<void> {
  const now = clock().getTime()
  const { versionDays } = await settings.read()
  // Versions of this moment go as well if there are to be none.
  const until = versionDays === 0 ? Number.MAX_SAFE_INTEGER : now - versionDays * DAY_MS
  const pause = periodicYield()
  for (let tier = 0; tier < TIERS; tier++) {
    while (await store.drop({ ids: await store.before(tier, until) })) {
      await dropper.run()
      await pause()
    }
  }
  for (const [tier, { after, one }] of STEPS.entries()) {
    for (let from = await startOf(tier, one); from !== null && from + one <= now - after; from = await startOf(tier, one)) {
      await thinSpan(tier, { from, to: from + one })
    }
  }
  await dropper.run()

  /** Keeps the last version of each file. */
  async function thinSpan(tier: number, span: { from: number; to: number }): Promise<void> {
    const seen = new Set<string>()
    for (let last: Replaced | null = null; ;) {
      const some: Replaced[] = await store.replacedIn(tier, span, last)
      last = some.at(-1) ?? null
      if (last === null) return
      await pause()
      const ids: string[] = []
      for (const { id, key } of some) {
        if (seen.has(key)) ids.push(id)
        seen.add(key)
      }
      await store.drop({ ids })
      await pause()
      await store.raiseTier(
        some.map(({ id }) => id),
        tier,
      )
      await pause()
    }
  }

  /** Of the span that has the oldest version of a tier. */
  async function startOf(tier: number, one: number): Promise<number | null> {
    const at = await store.oldestOf(tier)
    return at === null ? null : Math.floor(at / one) * one
  }
}
