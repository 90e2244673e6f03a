import { openDesk } from './desk.ts'

/** Keeps an index until it is killed, and writes it down as often as it can. */
const [root = '', file = ''] = process.argv.slice(2)
openDesk({
  root,
  file,
  board: new Int32Array(2),
  pace: { wakeMs: 5, lookAroundMs: 3_600_000, saveMs: { reading: 5, later: 20 }, watchShare: 0.5 },
})
process.stdout.write('open\n')
setInterval(() => undefined, 1000)
