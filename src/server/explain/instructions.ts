import { prepareGrant } from '../access/grants.ts'
import { prepareRule } from '../access/rules.ts'
import type { Standing } from './planned.ts'

/**
 * Of the patterns that decide about one person. Each may be tried for every path, in one step that nothing else can interrupt: with more, a step takes so long
 * that other requests notice.
 */
export const MAX_INSTRUCTIONS = 20_000

/**
 * Compiles the rules and grants of a person, and lets other requests run meanwhile: compiling a pattern takes milliseconds.
 * @returns the instructions of all patterns; no more are compiled once there are too many
 */
export async function instructionsOf({ account, settings, granted }: Standing, pause: () => Promise<void>): Promise<number> {
  let sum = 0
  for (const rules of [settings.rules, ...granted.groups.map((group) => group.rules), account.rules])
    for (const rule of rules) {
      if (sum > MAX_INSTRUCTIONS) return sum
      await pause()
      sum += prepareRule(rule)
    }
  for (const grant of granted.grants.flat()) {
    if (sum > MAX_INSTRUCTIONS) return sum
    await pause()
    sum += prepareGrant(grant)
  }
  return sum
}
