import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { runCommand, WITH_COMMANDS } from './commands.ts'

const SPECIAL_BITS = 0o6000

export const attack: Attack = {
  row: 'A10',
  title: 'leave a program on the disk that runs as the server’s account',
  server: WITH_COMMANDS,
  async run(server) {
    const ann = await server.user('ann', { scope: '/ann', commands: ['sh'] })
    server.write('ann/readme.txt', 'x')
    const ways = ['cp /bin/sh tool; chmod 4755 tool', 'install -m 6755 /bin/sh tool', `perl -e "open(F, q(>tool)); chmod(04755, q(tool))"`]
    let left = 0
    for (const way of ways) {
      await runCommand(server, ann, `sh -c 'cd /files; rm -f tool; ${way}'`)
      const bits = (statSync(join(server.root, 'ann/tool'), { throwIfNoEntry: false })?.mode ?? 0) & SPECIAL_BITS
      server.note(`${way}: ${bits === 0 ? 'refused' : 'done'}`)
      left += Number(bits !== 0)
    }
    const old = server.write('ann/old', 'a program')
    chmodSync(old, 0o4755)
    const saved = await ann.ask('/api/resources/old', { method: 'PUT', body: 'mine now' })
    if (!saved.ok) throw new Error(`the save: ${saved.status}`)
    const keeps = (statSync(old).mode & SPECIAL_BITS) !== 0
    server.note(`a save over a program that has the bit: ${keeps ? 'keeps it' : 'loses it'}`)
    return left === 0 && !keeps ? 'refused' : 'succeeded'
  },
}
