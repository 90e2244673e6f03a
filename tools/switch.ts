import { parseArgs } from 'node:util'
import { serverCommand } from '../scripts/lib/server.mjs'
import { switchOverAndBack } from './switch/switch.ts'

/**
 * `npm run test:switch`: switches over from an old server to Satchel and back through nginx while people use them, and ends with 1 when a request
 * failed, or a file or link was lost. `--rate N` requests a second (200), `--pause S` seconds between two steps (10).
 */
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { rate: text, pause: text } })
const { failures, lostFiles, lostLinks, sent, uploads, made, signIns, slowestMs } = await switchOverAndBack({
  program: serverCommand(),
  rate: Number(values.rate ?? 200),
  pauseMs: Number(values.pause ?? 10) * 1000,
  accounts: 20,
  links: 200,
  say: console.log,
})
for (const failure of failures.slice(0, 20)) console.log(failure)
console.log(
  `${sent} requests, ${failures.length} failed; ${uploads.length} files, ${lostFiles.length} lost; ${made.length} links made, ${lostLinks.length} lost; ` +
    `${signIns} sign-ins; the slowest took ${slowestMs} ms`,
)
process.exitCode = failures.length + lostFiles.length + lostLinks.length === 0 ? 0 : 1
