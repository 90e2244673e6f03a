import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { mountDisk } from '../../test/contract/disk.ts'
import type { Attack } from './attack.ts'
import { runCommand, WITH_COMMANDS } from './commands.ts'

const SECRET = 'deleted by somebody else'

export const attack: Attack = {
  row: 'A26',
  title: 'read what others deleted in a Btrfs subvolume that is no mount, and in a snapshot of it',
  server: WITH_COMMANDS,
  async run(first) {
    using disk = mountDisk('btrfs', { home: first.home, at: join(first.root, 'btrfs') })
    subvolume('create', join(disk.folder, 'sub'))
    first.write('btrfs/sub/secret.txt', SECRET)
    const removed = await first.admin.ask('/api/resources/btrfs/sub/secret.txt', { method: 'DELETE' })
    if (!removed.ok) throw new Error(`deleting: ${removed.status}`)
    subvolume('snapshot', join(disk.folder, 'sub'), join(disk.folder, 'copy'))
    // What the first one has learned is forgotten.
    const server = await first.restart()
    const ann = await server.user('ann', { commands: ['sh'] })
    const { said } = await runCommand(server, ann, "sh -c 'cat /files/btrfs/*/.satchel/trash/*/* 2>&1'")
    server.note(said.trim().split('\n').join('; '))
    return said.includes(SECRET) ? 'succeeded' : 'refused'
  },
}

function subvolume(...args: string[]): void {
  const { status, stderr } = spawnSync('btrfs', ['subvolume', ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`btrfs subvolume ${args.join(' ')}: ${stderr}`)
}
