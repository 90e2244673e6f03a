import { parseArgs } from 'node:util'
import { type Outcome, startCrashing } from '../test/crash/crash.ts'
import { DEEDS } from '../test/crash/deeds.ts'

/**
 * `npm run crash`: the real program, killed before every system call by which each of its deeds changes the disk, and started anew. What is seen
 * then must be old or new and whole, what was acknowledged must be there, and uploads must go on. Needs root (it mounts a second file system)
 * and Debian's strace. `--rounds N` does all of it N times, `--only WORD` the deeds whose name has it.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { rounds: text, only: text } })
const rounds = Number(values.rounds ?? 1)
const chosen = DEEDS.filter(({ name }) => name.includes(values.only ?? ''))

const outcomes: Outcome[] = []
await using crashing = await startCrashing()
for (const deed of chosen) {
  const points = await crashing.pointsOf(deed)
  const outcome: Outcome = { deed: deed.name, points: points.length, killed: 0, runs: 0, violations: [] }
  outcomes.push(outcome)
  for (let round = 0; round < rounds; round++) for (const point of points) await crashing.crash(deed, point, outcome)
  console.log(line(outcome))
  for (const violation of outcome.violations) console.log(`  ${violation}`)
}

function line({ deed, points, killed, runs, violations }: Outcome): string {
  return [deed.padEnd(46), points, runs, killed, violations.length].map((cell) => String(cell).padStart(7)).join('')
}
