import { parseArgs } from 'node:util'
import { type Outcome, startCrashing } from '../test/crash/crash.ts'
import { OPERATIONS } from '../test/crash/operations.ts'
import type { KillPoint } from '../test/crash/kill-points.ts'
import { crashStart, pointsOfStart, STARTS } from '../test/crash/programs.ts'

/**
 * `npm run crash`: the real program, killed before every system call by which each of its operations changes the disk, and started anew. What is seen
 * then must be old or new and whole, what was acknowledged must be there, and uploads must go on. Needs root (it mounts a second file system)
 * and Debian's strace. `--rounds N` does all of it N times, `--only PATTERN` the operations whose name matches it,
 * `--most N` no more than N points of each, spread evenly.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { rounds: text, only: text, most: text } })
const rounds = Number(values.rounds ?? 1)
const most = Number(values.most ?? Number.POSITIVE_INFINITY)
const pattern = new RegExp(values.only ?? '')
const isChosen = ({ name }: { name: string }): boolean => pattern.test(name)

const outcomes: Outcome[] = []
await crashAll()
const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0)
const violations = outcomes.flatMap((one) => one.violations)
console.log(
  row(
    'all',
    sum(({ points }) => points),
    sum(({ runs }) => runs),
    sum(({ killed }) => killed),
    violations.length,
  ),
)
process.exitCode = violations.length === 0 ? 0 : 1

async function crashAll(): Promise<void> {
  console.log(row('', 'points', 'runs', 'killed', 'violations'))
  await using crashing = await startCrashing()
  for (const operation of OPERATIONS.filter(isChosen)) {
    await crashAt(operation.name, await crashing.pointsOf(operation), (point, outcome) => crashing.crash(operation, point, outcome))
  }
  for (const start of STARTS.filter(isChosen)) {
    await crashAt(start.name, await pointsOfStart(start), (point, outcome) => crashStart(start, point, outcome))
  }
  outcomes.push(await crashing.sweep())
}

async function crashAt(
  operation: string,
  points: readonly KillPoint[],
  crash: (point: KillPoint, outcome: Outcome) => Promise<void>,
): Promise<void> {
  const outcome: Outcome = { operation, points: points.length, killed: 0, runs: 0, violations: [] }
  outcomes.push(outcome)
  for (let round = 0; round < rounds; round++) for (const point of spread(points)) await crash(point, outcome)
  console.log(row(operation, outcome.points, outcome.runs, outcome.killed, outcome.violations.length))
  for (const violation of outcome.violations) console.log(`  ${violation}`)
}

function spread(points: readonly KillPoint[]): KillPoint[] {
  const step = Math.max(1, points.length / most)
  return points.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

function row(operation: string, ...cells: (string | number)[]): string {
  return operation.padEnd(44) + cells.map((cell) => String(cell).padStart(12)).join('')
}
