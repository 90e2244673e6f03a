import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, setDefaultTimeout } from 'bun:test'
import { changeEverywhere } from './sync-changes.ts'
import { plant, startSyncedServer, synced } from './sync-world.ts'
import { expectWhole } from './sync-whole.ts'

setDefaultTimeout(300_000)

/** `npm run sync` does this with 20,000 files and kills at many moments. */
it('loses nothing and stores nothing twice: renames and conflicts on all sides, a killed client, a killed server', async () => {
  await using server = await startSyncedServer()
  const [one, two] = [await server.computer(), await server.computer()]
  await plant(one.folder, 200, 'first', { folders: 20 })
  const contents = new Set(Array.from({ length: 200 }, (_, n) => `first ${n}`))
  await synced(one)
  await synced(two)

  const files = new Map(Array.from({ length: 8 }, (_, n) => [`first/19/${n * 20 + 19}.txt`, `first ${n * 20 + 19}`] as const))
  const sides = { server: server.root, one: one.folder, two: two.folder }
  const after = await changeEverywhere({ each: 1, sides, files, folders: ['first/0', 'first/1'] }, contents)
  const found = await expectWhole(server, [one, two], after.contents, after)
  expect(found).toMatchObject({ problems: [], conflictCopies: 1 })

  const large = `large ${'x'.repeat(21_000_000)}`
  await mkdir(join(one.folder, 'large'))
  await writeFile(join(one.folder, 'large/large.bin'), large)
  await plant(one.folder, 100, 'second')
  await plant(server.root, 100, 'third')
  for (const content of [large, ...Array.from({ length: 100 }, (_, n) => [`second ${n}`, `third ${n}`]).flat()]) after.contents.add(content)
  await one.syncKilled(400)
  const syncing = one.sync()
  await Bun.sleep(300)
  await server.restart()
  await syncing
  expect(await expectWhole(server, [one, two], after.contents, after)).toMatchObject({ problems: [], files: found.files + 201 })
})
