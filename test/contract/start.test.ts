import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { openDatabase } from '../../src/server/db/database.ts'
import { saveSetting } from '../../src/server/settings/store.ts'

const SERVER = serverCommand()

it('the program says in one line why it does not start with a proxy that nobody is trusted to be (GHSA-xqp3-jq6g-x3qm)', async () => {
  const home = await mkdtemp(join(tmpdir(), 'satchel-start-'))
  await Promise.all([mkdir(join(home, 'files')), mkdir(join(home, 'data'))])
  const db = await openDatabase({ file: join(home, 'data', 'satchel.db') }, { clock: () => new Date() })
  await saveSetting(db, 'settings', JSON.stringify({ authMethod: 'proxy', auth: { header: 'X-User' } }))
  await db.destroy()
  const argv = ['--root', join(home, 'files'), '--data', join(home, 'data'), '--port', '0']
  const child = Bun.spawn([...SERVER, ...argv], { cwd: home, stdout: 'pipe', stderr: 'pipe' })
  const said = [await child.stdout.text(), await child.stderr.text(), await child.exited]
  await rm(home, { recursive: true })
  expect(said).toEqual(['', 'satchel: authMethod proxy needs --trustedProxies: without it anybody could say who they are\n', 1])
})
