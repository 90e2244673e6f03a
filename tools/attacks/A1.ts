import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { runCommand, WITH_COMMANDS } from './commands.ts'

export const attack: Attack = {
  row: 'A1',
  title: 'read and write what lies beside one’s own folder, by a descriptor that the server left open in a command',
  server: WITH_COMMANDS,
  async run(server) {
    server.write('bob/secret.txt', 'what bob alone may read')
    server.write('ann/own.txt', 'her own')
    server.write('ann/denied/key.txt', 'denied to ann')
    const rules = [{ regex: false, allow: false, path: '/denied', regexp: null }]
    const ann = await server.user('ann', { scope: '/ann', commands: ['cat', 'sh', 'ls'], rules })
    const descriptors = Array.from({ length: 30 }, (_, n) => n)
    const ways = descriptors.flatMap((n) =>
      ['../bob/secret.txt', '../../data/satchel.db', '../../../../../../etc/shadow', 'denied/key.txt'].map(
        (rest) => `/proc/self/fd/${n}/${rest}`,
      ),
    )
    const own = await runCommand(server, ann, 'cat /files/own.txt')
    if (own.said !== 'her own') throw new Error(`cat does not work: ${own.said}`)
    const { said } = await runCommand(server, ann, `cat ${ways.join(' ')}`)
    const read = ['what bob alone may read', 'denied to ann', 'SQLite format', 'root:'].filter((text) => said.includes(text))
    server.note(`cat with ${ways.length} ways over descriptors: read ${read.length === 0 ? 'nothing' : read.join(', ')}`)

    const writes = descriptors.map((n) => `echo overwritten > /proc/self/fd/${n}/../bob/secret.txt`).join('; ')
    await runCommand(server, ann, `sh -c '(${writes}) 2>/dev/null'`)
    const isUntouched = readFileSync(join(server.root, 'bob/secret.txt'), 'utf8') === 'what bob alone may read'
    server.note(`writing over ${descriptors.length} of them: ${isUntouched ? 'nothing was written' : 'bob’s file was changed'}`)

    const { said: open } = await runCommand(server, ann, `sh -c 'ls /proc/$$/fd'`)
    server.note(`open in a command: ${open.trim().split('\n').join(', ')}`)
    // The shell of Debian opens none of its own here.
    return read.length === 0 && isUntouched && open.trim().split('\n').length === 3 ? 'refused' : 'succeeded'
  },
}
