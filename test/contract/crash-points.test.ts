import { expect, it } from 'bun:test'
import { type Crashing, type Outcome, startCrashing } from '../crash/crash.ts'
import type { Operation } from '../crash/operation.ts'
import { OPERATIONS } from '../crash/operations.ts'

/** A few of the moments that `npm run crash` tries all of: of each operation the first, the last and some between. */
const SAMPLE: Record<string, number> = {
  'save what a link leads to': 4,
  'resumable upload: finish': 3,
  'move a folder to another disk': 2,
  'upload over': 2,
  'bulk upload': 2,
  'the journal: move': 4,
  'to the trash: a folder': 4,
  'from the trash: a folder': 4,
  'a version: save': 4,
  'a version: restore': 4,
}

it('keeps what was acknowledged, and every name old or new, killed before any call that changes the disk (I6)', async () => {
  const outcome: Outcome = { operation: 'sample', points: 0, killed: 0, runs: 0, violations: [] }
  await using crashing = await startCrashing()
  for (const operation of OPERATIONS) await crashSome(crashing, operation, SAMPLE[operation.name] ?? 0, outcome)
  outcome.violations.push(...(await crashing.sweep()).violations)
  expect(outcome.violations).toEqual([])
  expect(outcome.killed).toBe(Object.values(SAMPLE).reduce((sum, times) => sum + times))
}, 300_000)

/** The threads share the calls in another way each time, so a moment may not come; that of a first call always does. */
async function crashSome(crashing: Crashing, operation: Operation, times: number, outcome: Outcome): Promise<void> {
  if (times === 0) return
  const points = await crashing.pointsOf(operation)
  if (points.length === 0) throw new Error(`no call of “${operation.name}” was seen`)
  const firsts = points.filter(({ nth }) => nth === 1)
  for (let time = 0; time < times; time++) {
    const at = points[Math.round((time * (points.length - 1)) / (times - 1))]
    const wanted = outcome.killed + 1
    for (const point of [at, firsts.find(({ call }) => call === at?.call), ...firsts]) {
      if (point !== undefined && outcome.killed < wanted) await crashing.crash(operation, point, outcome)
    }
  }
}
