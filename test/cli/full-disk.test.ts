import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'bun:test'
import { createTestInstall, type TestInstall } from './satchel.ts'

let install: TestInstall
let disk = ''
const filler = (): string => join(disk, 'filler')

beforeEach(async () => {
  install = await createTestInstall()
  disk = join(install.home, 'files')
  await Bun.$`mount -t tmpfs -o size=1m none ${disk}`
  await writeFile(filler(), Buffer.alloc(2 ** 20)).catch(() => {})
})

afterEach(async () => {
  await Bun.$`umount -l ${disk}`
})

it('R6: the first start serves a folder on a full disk, leaves nothing half-written, and marks it when there is room', async () => {
  {
    await using server = await install.serve()
    expect((await fetch(`${server.url}health`)).status).toBe(200)
  }
  expect(await readdir(join(disk, '.satchel'))).not.toContainAnyValues(['installed', 'installed.new'])
  await rm(filler())
  {
    await using _ = await install.serve()
  }
  expect(JSON.parse(await readFile(join(disk, '.satchel/installed'), 'utf8'))).toMatchObject({
    database: join(install.home, 'data/satchel.db'),
  })
}, 60_000)
