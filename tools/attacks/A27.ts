import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountDisk } from '../../test/contract/disk.ts'
import type { Attack } from './attack.ts'
import { runCommand, WITH_COMMANDS } from './commands.ts'

const SECRET = 'nobody may read this'
/** BTRFS_IOC_SNAP_CREATE_V2, of the folder that a path names, into it. */
const snapshotOf = (folder: string): string =>
  `use Fcntl; sysopen(my $d, "${folder}", O_RDONLY); my $a = pack("q Q6 a4040", fileno($d), 0, 0, 0, 0, 0, 0, "copy"); ` +
  `print ioctl($d, 0x50009417, $a) ? "made a snapshot\\n" : "no snapshot: $!\\n"`

export const attack: Attack = {
  row: 'A27',
  title: 'read what rules deny, and what lies outside the scope, in a snapshot that a command makes on Btrfs',
  server: WITH_COMMANDS,
  async run(server) {
    using disk = mountDisk('btrfs', { home: server.home, at: join(server.root, 'btrfs') })
    mkdirSync(join(disk.folder, 'bob'))
    writeFileSync(join(disk.folder, 'denied.txt'), SECRET)
    const rules = [{ regex: false, allow: false, path: '/denied.txt', regexp: null }]
    const ann = await server.user('ann', { scope: '/btrfs', commands: ['perl', 'cat'], rules })
    const bob = await server.user('bob', { scope: '/btrfs/bob', commands: ['perl', 'cat'] })
    let isRead = false
    for (const client of [ann, bob]) {
      const { said } = await runCommand(server, client, `perl -e '${snapshotOf('/files')}'`)
      const read = await runCommand(server, client, 'cat /files/copy/denied.txt')
      server.note(`${client.name}: ${said.trim()}; ${read.said.trim()}`)
      isRead ||= read.said.includes(SECRET)
    }
    return isRead ? 'succeeded' : 'refused'
  },
}
