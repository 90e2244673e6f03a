import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { runModel } from '../test/model/model.ts'

/**
 * `npm run test:rewind`: random operations of three people by every way in, until there were 10,000 and the server was killed at 1,000 random system calls; after
 * each start the tree is rewound to ten moments of its past and must equal it. Many short histories, each from a seed of its own. Needs root and Debian's strace.
 *
 * `--operations N`, `--kills N`: how many altogether. `--seed N`: that of the first history. `--history N`: kills of one history. `--rewinds N`: moments after
 * each start. `--folders A,B`: where the files are, in turn. `--log FILE`: a line for each life of a server; what an earlier run wrote there counts, and goes
 * on. `--minutes N`: begins no further history afterwards. `--once`: one history, to see a violation again.
 */
const text = { type: 'string' } as const
const names = ['operations', 'kills', 'rewinds', 'seed', 'history', 'folders', 'log', 'minutes'] as const
const { values } = parseArgs({
  options: { ...Object.fromEntries(names.map((name) => [name, text])), once: { type: 'boolean' } },
}) as { values: Partial<Record<(typeof names)[number], string>> & { once?: boolean } }

const LIFE = z.object({
  seed: z.number(),
  operations: z.number(),
  rewinds: z.number(),
  kills: z.array(z.string()),
  violations: z.array(z.string()),
})
type Life = z.infer<typeof LIFE>

const wanted = { operations: Number(values.operations ?? 10_000), kills: Number(values.kills ?? 1000) }
const folders = values.folders?.split(',') ?? [tmpdir()]
const minutes = Number(values.minutes ?? Infinity)
const [history, rewinds] = [Number(values.history ?? 10), Number(values.rewinds ?? 10)]
const BETWEEN = 'between calls'
const TELL_MS = 30_000

const lives: Life[] = []
const { log } = values
if (log !== undefined && existsSync(log))
  for (const line of readFileSync(log, 'utf8').split('\n').filter(Boolean)) lives.push(LIFE.parse(JSON.parse(line)))
if (lives.length > 0) console.log(`from ${log}: ${total()}`)

const began = performance.now()
const seconds = (): number => (performance.now() - began) / 1000
let told = began
/** After this life of the server; what it came to is in the log. */
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isStopping = true))
class Stopped extends Error {}
for (let seed = Number(values.seed ?? 1 + Math.max(0, ...lives.map((life) => life.seed))); isWanted(); seed++) {
  const folder = folders[seed % folders.length] ?? tmpdir()
  const one = runModel({ seed, kills: history, rewinds, folder }, (result) => {
    const life = { seed, ...result }
    lives.push(life)
    if (log !== undefined) appendFileSync(log, `${JSON.stringify(life)}\n`)
    for (const violation of life.violations) console.log(`seed ${seed} in ${folder}: ${violation}`)
    if (isStopping) throw new Stopped()
    if (performance.now() - told < TELL_MS) return
    told = performance.now()
    console.log(`${seconds().toFixed(0)} s, seed ${seed}: ${total()}`)
  })
  await one.catch((error: unknown) => (error instanceof Stopped ? undefined : Promise.reject(error)))
  if (values.once === true || isStopping) break
}
console.log(total())
for (const [point, times] of [...killsBy()].toSorted((a, b) => b[1] - a[1])) console.log(`  ${point}: ${times}`)
process.exitCode = lives.every(({ violations }) => violations.length === 0) ? 0 : 1

function isWanted(): boolean {
  const sum = sums()
  return seconds() < minutes * 60 && (sum.kills < wanted.kills || sum.operations < wanted.operations)
}

function sums() {
  const add = (of: (life: Life) => number): number => lives.reduce((sum, life) => sum + of(life), 0)
  return {
    operations: add((life) => life.operations),
    kills: add((life) => life.kills.filter((kill) => kill !== BETWEEN).length),
    between: add((life) => life.kills.filter((kill) => kill === BETWEEN).length),
    rewinds: add((life) => life.rewinds),
    violations: add((life) => Math.min(1, life.violations.length)),
  }
}

function total(): string {
  const { operations, kills, between, rewinds: done, violations } = sums()
  const seeds = new Set(lives.map(({ seed }) => seed)).size
  return `${seeds} histories, ${operations} operations, ${kills} kills at system calls, ${between} between them, ${done} rewinds, ${violations} violations`
}

function killsBy(): Map<string, number> {
  const by = new Map<string, number>()
  for (const kill of lives.flatMap(({ kills }) => kills)) by.set(kill, (by.get(kill) ?? 0) + 1)
  return by
}
