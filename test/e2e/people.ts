import { openDatabase } from '../../src/server/db/database.ts'
import { createMemoryBus } from '../../src/server/bus/memory.ts'
import { ALL_RIGHTS, NO_RIGHTS } from '../../src/server/access/permissions.ts'
import { createPasswords } from '../../src/server/users/password.ts'
import { createUsers } from '../../src/server/users/users.ts'
import { Settings } from '../../src/server/settings/settings.ts'

/**
 * Makes a database with the people of the walks, as nobody can yet over HTTP: `bun people.ts <file> <password>`. An administrator, a reader who
 * may only download, a guest without any right, and a clerk who may do everything but change what is there.
 */
const [file = '', password = ''] = process.argv.slice(2)
const clock = () => new Date()
const db = await openDatabase({ file }, { clock })
const users = createUsers({ db, bus: createMemoryBus(), passwords: createPasswords(), clock })
const { defaults } = Settings.parse({})
/** Of no effect where commands are switched off, as they are but for the walks about them. */
const commands = ['cat', 'echo', 'ls', 'sh', 'sleep', 'yes']
const people = {
  admin: ALL_RIGHTS,
  reader: { ...NO_RIGHTS, download: true },
  guest: NO_RIGHTS,
  clerk: { ...ALL_RIGHTS, admin: false, execute: false, modify: false },
}
for (const [username, perm] of Object.entries(people)) {
  await users.create({ ...defaults, commands, username, password, perm, rules: [], lockPassword: false, viewMode: 'list' })
}
await db.destroy()
