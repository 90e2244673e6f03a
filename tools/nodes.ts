import { parseArgs } from 'node:util'
import { runNodes } from './nodes/run.ts'

/**
 * `npm run nodes`: three servers on one PostgreSQL behind nginx without sticky sessions, one of which is killed every 20 seconds while many clients sign
 * in, list, upload by tus and go on, download, rename, save, and use links with limits. Ends with a table, and with 1 when an acknowledged byte was lost,
 * a client was stuck for more than 15 seconds, or a limit was not exact.
 * `--minutes M` (10), `--clients N` (100), `--nodes N` (3), `--every SECONDS` (20), `--pause MS` between two pieces of work of one client (2000).
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { minutes: text, clients: text, nodes: text, every: text, pause: text } })
const log = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
const result = await runNodes({
  seconds: Number(values.minutes ?? 10) * 60,
  clients: Number(values.clients ?? 100),
  nodes: Number(values.nodes ?? 3),
  killEveryMs: Number(values.every ?? 20) * 1000,
  downMs: 3000,
  pauseMs: Number(values.pause ?? 2000),
  log,
})

console.log(`\n${'work'.padEnd(16)} ${'done'.padStart(8)} ${'longest, ms'.padStart(12)}`)
for (const [kind, count] of result.counts)
  console.log(`${kind.padEnd(16)} ${String(count).padStart(8)} ${String(Math.round(result.longest.get(kind) ?? 0)).padStart(12)}`)
console.log(`\n${result.kills} kills, ${result.files} acknowledged files compared, ${result.guesses} guesses let through`)
for (const violation of result.violations.slice(0, 50)) console.log(`VIOLATION ${violation}`)
console.log(
  result.violations.length === 0 ? 'nothing was lost, nobody was stuck, limits were exact' : `${result.violations.length} violations`,
)
process.exit(result.violations.length === 0 ? 0 : 1)
