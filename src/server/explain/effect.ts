import type { Effect, EffectSide } from '../../shared/contract/explain.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { cleanScope } from '../../shared/scope.ts'
import { periodicYield } from '../drive/checkpoint.ts'
import { compare, type CompareOptions, type Eyes, type Side, SIDES, type Tallies } from './compare.ts'
import { eyeOf, namesOf, NO_REACH, placesOfDifference } from './difference.ts'
import { createGivenTally, type Given } from './given-tally.ts'
import { instructionsOf, MAX_INSTRUCTIONS } from './instructions.ts'
import type { PlannedPerson, Standing } from './planned.ts'

/** `examples`: how many nodes are told of each person, and how many links and shares on each side. */
export interface EffectOptions extends Omit<CompareOptions, 'places' | 'isOver'> {
  /** Where the folder of an account really is; null if it does not exist. */
  readonly placeOf: (scope: FilePath) => Promise<FilePath | null>
  readonly given: Given
  /** How many people are told on each side. */
  readonly people: number
  /** Milliseconds after which no more is counted. */
  readonly limitMs: number
}

/**
 * What a change would open and close for people, counted from the index: for each node, what the Access that decides now gives, against the Access that
 * would decide then. What the two give to a whole folder alike is skipped, or counted at once by its sums. Other requests are served meanwhile.
 */
export async function effectOf(planned: readonly PlannedPerson[], options: EffectOptions): Promise<Effect> {
  const { index, placeOf, people, limitMs, signal } = options
  const until = performance.now() + limitMs
  const isOver = (): boolean => performance.now() > until
  const pause = periodicYield(signal)
  const found: Record<Side, EffectSide['people']> = { opens: [], closes: [] }
  const count = { opens: 0, closes: 0 }
  const given = await createGivenTally(options)
  const known = new Map<string, Tallies>()
  const scopes = new Map<string, Promise<FilePath | null>>()
  const scopeOf = async (standing: Standing | null): Promise<FilePath | null> => {
    if (standing === null) return null
    const named = cleanScope(standing.account.scope)
    const place = scopes.get(named) ?? placeOf(named)
    scopes.set(named, place)
    return place
  }
  const told = (state: Effect['state']): Effect => ({
    state,
    opens: { count: count.opens, people: found.opens, ...given.told.opens },
    closes: { count: count.closes, people: found.closes, ...given.told.closes },
  })

  async function eyesOf({ before, after }: PlannedPerson): Promise<Eyes> {
    const [was, willBe] = [await scopeOf(before), await scopeOf(after)]
    return { before: before && eyeOf(before, was), after: after && eyeOf(after, willBe) }
  }

  if (index.state().phase !== 'ready') return told('unknown')
  let state: Effect['state'] = 'complete'
  for (const person of planned) {
    await pause()
    if (isOver()) return told('stopped')
    const { id, username, before, after } = person
    const key = keyOf(before, after)
    let tallies = known.get(key)
    if (tallies === undefined) {
      for (const standing of [before, after])
        if (standing !== null && (await instructionsOf(standing, pause)) > MAX_INSTRUCTIONS) return told('too-many-patterns')
      const eyes = await eyesOf(person)
      const was = eyes.before?.scope ?? null
      const places = before !== null && after !== null && was !== null ? placesOfDifference(before, after, was) : null
      const walked = await compare(eyes, { ...options, places, isOver })
      if (!walked.isComplete) state = 'stopped'
      tallies = walked.tallies
      known.set(key, tallies)
    }
    for (const side of SIDES) {
      const { what, ...tally } = tallies[side]
      if (what === NO_REACH) continue
      count[side] += 1
      if (found[side].length < people) found[side].push({ id, username, ...tally, what: namesOf(what) })
    }
    if (id !== null && given.hasAny(id)) await given.add({ id, username }, await eyesOf(person))
  }
  return told(state)
}

/** Of two people with the same key, a change opens and closes the same. */
function keyOf(...standings: readonly (Standing | null)[]): string {
  const parts = standings.map((standing) => {
    if (standing === null) return null
    const { account, granted } = standing
    const { scope, perm, rules, hideDotfiles } = account
    return [scope, perm, rules, hideDotfiles, granted.groups.map(({ id }) => id), granted.grants.at(-1)]
  })
  return JSON.stringify(parts)
}
