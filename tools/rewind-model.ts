import { parseArgs } from 'node:util'
import { runModel } from '../test/model/model.ts'

/**
 * `npm run test:rewind`: 10,000 random operations of three people by every way in, the server killed at 1,000 random system calls; after each start the
 * tree is rewound to ten moments of its past and must equal it. Needs root and Debian's strace. `--operations N`, `--kills N`, `--rewinds N`, `--seed N`.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { operations: text, kills: text, rewinds: text, seed: text } })
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const run = {
  seed,
  operations: Number(values.operations ?? 10_000),
  kills: Number(values.kills ?? 1000),
  rewinds: Number(values.rewinds ?? 10),
}
console.log(`seed ${seed}`)
const began = performance.now()
let told = began
const result = await runModel(run, ({ operations, kills, rewinds }) => {
  const now = performance.now()
  if (now - told < 10_000) return
  told = now
  console.log(`${Math.round((now - began) / 1000)} s: ${operations} operations, ${kills} kills, ${rewinds} rewinds`)
})
console.log(`${result.operations} operations, ${result.kills} kills, ${result.rewinds} rewinds, ${result.violations.length} violations`)
for (const violation of result.violations) console.log(`  ${violation}`)
process.exitCode = result.violations.length === 0 ? 0 : 1
