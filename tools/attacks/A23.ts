import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { WITH_COMMANDS } from './commands.ts'
import { slowHooks, whileHookRuns } from './slow-hooks.ts'

export const attack: Attack = {
  row: 'A23',
  title: 'go on in a folder that was moved below a denied path since the operation began: overwrite a file there, and copy one out',
  server: WITH_COMMANDS,
  async run(server) {
    server.write('team/x/save.txt', 'old')
    server.write('team/x/read.txt', 'old')
    server.write('private/there.txt', '')
    const ann = await server.user('ann', { rules: [{ regex: false, allow: false, path: '/private', regexp: null }] })
    await slowHooks(server)
    const going = [
      ann.ask('/api/resources/team/x/save.txt', { method: 'PUT', body: 'new' }),
      ann.ask('/api/resources/team/x/read.txt?action=copy&destination=/copied.txt', { method: 'PATCH' }),
    ]
    await whileHookRuns()
    renameSync(join(server.root, 'team/x'), join(server.root, 'private/x'))
    writeFileSync(join(server.root, 'private/x/read.txt'), 'secret')
    server.note(`answers: ${(await Promise.all(going)).map(({ status }) => status).join(' ')}`)
    const saved = readFileSync(join(server.root, 'private/x/save.txt'), 'utf8')
    const copied = await (await ann.ask('/api/raw/copied.txt')).text()
    server.note(`the file below the denied path: ${saved}; the copy: ${copied.slice(0, 40)}`)
    return saved === 'old' && copied !== 'secret' ? 'refused' : 'succeeded'
  },
}
