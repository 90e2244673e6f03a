import type { Attack } from './attack.ts'
import { runCommand, WITH_COMMANDS } from './commands.ts'

const TRIES = [
  'unshare -Urm true && echo made',
  'unshare -UC true && echo made',
  'unshare -Urm mount -t cgroup2 none /tmp && echo 1 > /tmp/cgroup.kill && echo made',
  `perl -e "exit 1 if syscall(272, 0x10020000) < 0; my (\\$s, \\$at, \\$t) = qw(none /tmp cgroup2); exit(syscall(165, \\$s, \\$at, \\$t, 0, 0) < 0)" && echo made`,
  'mount -t tmpfs none /tmp && echo made',
  'nsenter -t 1 -a true && echo made',
  'ls /sys/fs/cgroup/cgroup.procs && echo made',
]

export const attack: Attack = {
  row: 'A9',
  title: 'make namespaces inside the sandbox, mount the control groups and end everything',
  server: WITH_COMMANDS,
  async run(server) {
    const ann = await server.user('ann', { commands: ['sh'] })
    let made = 0
    for (const line of TRIES) {
      const { said } = await runCommand(server, ann, `sh -c '${line}'`)
      const isMade = said.includes('made\n')
      server.note(`${line.slice(0, 70)}: ${isMade ? 'done' : 'refused'}`)
      made += Number(isMade)
    }
    return made === 0 && (await server.visit('/health')).status === 200 ? 'refused' : 'succeeded'
  },
}
