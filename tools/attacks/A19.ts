import { join } from 'node:path'
import { hostileFolder } from '../../test/contract/hostile-folder.ts'
import { useEverything } from '../../test/contract/use-everything.ts'
import { HOME } from '../../scripts/lib/packages.mjs'
import { serverCommand } from '../../scripts/lib/server.mjs'
import type { Attack } from './attack.ts'

export const attack: Attack = {
  row: 'A19',
  title: 'run code as the server by files in the folder where it is started',
  async run(server) {
    const here = hostileFolder(join(server.home, 'here'))
    server.note('in the current folder: bunfig.toml with a preload, tsconfig.json with paths, .env, node_modules')

    const started = await server.another({ cwd: here.folder, args: ['--logAll'] })
    await useEverything({ root: started.root, url: started.url, token: started.admin.token })
    const { status } = await started.visit('/api/resources/')
    server.note(`the server, with every thread and program used: ran ${here.ran().length} of them; SATCHEL_NOAUTH=true of .env: ${status}`)

    const commands = [
      [...serverCommand(), 'config', 'explain', 'port'],
      ['node', join(HOME, 'scripts/start.mjs'), '--version'],
    ]
    for (const command of commands) {
      const { exitCode } = Bun.spawnSync(command, { cwd: here.folder, stdout: 'ignore', stderr: 'ignore' })
      server.note(`${command.slice(-2).join(' ')}: exit code ${exitCode}, ran ${here.ran().length} of them`)
    }

    const file = started.write('.satchel.json', '{ "noauth": true }')
    const { stderr } = Bun.spawnSync([...serverCommand(), '--root', started.root, '--data', started.data, '--port', '0'], {
      cwd: started.root,
      timeout: 60_000,
    })
    const isRefused = stderr.toString().includes(`${file} lies in a served folder`)
    server.note(`a configuration file that was uploaded, found at the next start: ${isRefused ? 'refused' : 'read'}`)
    return here.ran().length === 0 && status === 401 && isRefused ? 'refused' : 'succeeded'
  },
}
