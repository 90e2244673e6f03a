import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as fc from 'fast-check'
import { PROPERTIES } from '../test/fuzz/properties.ts'
import type { Failure, Property } from '../test/fuzz/property.ts'
import { guided } from './fuzz/guided.ts'

/**
 * `npm run fuzz [-- --minutes N]`: tries every property with new seeds, round after round. What fails is kept in `test/fuzz/failures.json`, which
 * `npm test` tries from then on. Ends with a table; the exit code says whether all held.
 *
 * `npm run fuzz -- --guided [--minutes N] [--target NAME] [--keep]`: lets the branches that an input reaches say which inputs are worth changing
 * further. What fails is kept in `test/fuzz/finds.json`; `--keep` writes the inputs that reach far into `test/fuzz/corpus`, where the next run
 * begins.
 */
const FILE = join(import.meta.dir, '../test/fuzz/failures.json')
const MINUTE_MS = 60_000
/** Of the few runs in `npm test`, for one round. */
const TIMES = 4

const { values } = parsedArguments()
const minutes = minutesIn(values.minutes)
if (values.guided) process.exit((await guided({ minutes, target: values.target, keep: values.keep })) ? 0 : 1)

const end = Date.now() + minutes * MINUTE_MS
const rows = new Map(PROPERTIES.map(({ says }) => [says, { runs: 0, found: 0 }]))
// A message of somebody else's parser for each nonsense it is given would hide ours.
process.removeAllListeners('warning')
process.on('warning', () => undefined)

for (const one of PROPERTIES) await again(one)
do for (const one of PROPERTIES) await round(one)
while (Date.now() < end)

console.log(`\n${'runs'.padStart(9)}  failed  property`)
for (const [says, { runs, found }] of rows) console.log(`${String(runs).padStart(9)}${String(found).padStart(8)}  ${says}`)
const all = [...rows.values()]
const failed = all.reduce((sum, { found }) => sum + found, 0)
console.log(`${all.reduce((sum, { runs }) => sum + runs, 0)} runs of ${all.length} properties, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** What failed before comes first. */
async function again({ says, property }: Property): Promise<void> {
  for (const { seed, path } of kept().filter((failure) => failure.says === says))
    note(says, await fc.check(property, { seed, path, endOnFailure: true }))
}

async function round({ says, runs, property }: Property): Promise<void> {
  const told = await fc.check(property, { numRuns: runs * TIMES })
  note(says, told)
  if (!told.failed || told.counterexamplePath === null) return
  const failure = { says, seed: told.seed, path: told.counterexamplePath }
  writeFileSync(FILE, `${JSON.stringify([...kept(), failure], null, 2)}\n`)
}

function note(says: string, told: fc.RunDetails<unknown>): void {
  const row = rows.get(says)
  if (row === undefined) return
  row.runs += told.numRuns
  if (!told.failed) return
  row.found++
  console.error(`${says}\n${fc.defaultReportMessage(told)}\n${String(told.errorInstance)}\n`)
}

function kept(): Failure[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Failure[]
}

function parsedArguments() {
  return parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      guided: { type: 'boolean', default: false },
      target: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  })
}

function minutesIn(said: string): number {
  const found = Number(said)
  if (Number.isFinite(found) && found > 0) return found
  console.error('npm run fuzz -- [--guided [--target NAME] [--keep]] [--minutes N]')
  process.exit(2)
}
