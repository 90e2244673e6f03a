import { openIndexService } from './index-service.ts'

/** Keeps an index until it is killed, and saves it as often as possible. */
const [root = '', file = ''] = process.argv.slice(2)
openIndexService({
  root,
  file,
  progress: new Int32Array(2),
  pace: { wakeMs: 5, rescanMs: 3_600_000, saveMs: { reading: 5, later: 20 }, maxWatchShare: 0.5 },
})
process.stdout.write('open\n')
setInterval(() => undefined, 1000)
