import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { runCommand, WITH_COMMANDS } from './commands.ts'

export const attack: Attack = {
  row: 'A11',
  title: 'read a file that a pattern denies in a command, because its name is not UTF-8',
  server: WITH_COMMANDS,
  async run(server) {
    server.write('ann/plain.key', 'a secret')
    for (const name of ['na\u00efve.key', '\u00ff\u00fe.key'])
      writeFileSync(Buffer.from(join(server.root, 'ann', name), 'latin1'), 'a secret')
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '\\.key$' } }]
    const ann = await server.user('ann', { scope: '/ann', commands: ['sh'], rules })
    const { said } = await runCommand(server, ann, `sh -c 'cd /files; cat *.key'`)
    const isRead = said.includes('a secret')
    server.note(`cat *.key over three names, two of them not UTF-8: ${isRead ? 'read' : 'nothing'}`)
    return isRead ? 'succeeded' : 'refused'
  },
}
