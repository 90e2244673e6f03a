import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { startCommand, WITH_COMMANDS } from './commands.ts'

const SECRET = 'deleted by somebody else'
const CLIMB = 'cd /files/folder; echo here > here; while [ -e /files/folder ]; do sleep 0.05; done; cat ../../*/secret.txt; ls ../..'

export const attack: Attack = {
  row: 'A28',
  title: 'get to the trash with the folder that a command is in, when somebody deletes that',
  server: WITH_COMMANDS,
  async run(server) {
    server.write('secret.txt', SECRET)
    server.write('folder/file.txt', '')
    await server.admin.ask('/api/resources/secret.txt', { method: 'DELETE' })
    const ann = await server.user('ann', { commands: ['sh'] })
    const running = await startCommand(server, ann, `sh -c '${CLIMB}'`)
    for (let tries = 0; !existsSync(join(server.root, 'folder/here')); tries++) {
      if (tries > 1000) throw new Error(`the command does not run: ${running.said()}`)
      await Bun.sleep(10)
    }
    await server.admin.ask('/api/resources/folder', { method: 'DELETE' })
    const { said, ended } = await running.over
    server.note(`the command ${ended}, and read: ${said.trim() || 'nothing'}`)
    return said.includes(SECRET) ? 'succeeded' : 'refused'
  },
}
