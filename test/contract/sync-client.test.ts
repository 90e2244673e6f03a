import { mkdtemp, readdir, readFile, rename, rm, unlink, writeFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it, setDefaultTimeout } from 'bun:test'
import { startProgram } from './program.ts'
import { type Computer, freePort, newComputer } from './sync-world.ts'

setDefaultTimeout(300_000)

const made: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of made.splice(0).toReversed()) await end()
})

it('the desktop client keeps two computers and the folder of other programs in sync: new, changed, renamed, moved and removed', async () => {
  const { root, computer } = await start()
  const [one, two] = [await computer(), await computer()]
  await plant(root, 60, 'server')
  await plant(one.folder, 60, 'client')
  await writeFile(join(one.folder, 'large.bin'), Buffer.alloc(11_000_000, 'large '))
  await synced(one)
  await synced(two)
  const all = await treeOf(root)
  expect(Object.keys(all)).toHaveLength(121)
  expect([await treeOf(one.folder), await treeOf(two.folder)]).toEqual([all, all])

  // By another program, on the server's disk.
  await rename(join(root, 'server/0'), join(root, 'client/moved here'))
  await rename(join(root, 'server/1/1.txt'), join(root, 'server/1/renamed ü & <1>.txt'))
  await unlink(join(root, 'server/2/2.txt'))
  await writeFile(join(root, 'server/3/3.txt'), 'changed deep below by a program')
  // On the computers.
  await rename(join(one.folder, 'client/4'), join(one.folder, 'server/four'))
  await writeFile(join(two.folder, 'client/5/5.txt'), 'changed on the second computer')
  await rm(join(two.folder, 'client/6'), { recursive: true })
  await synced(one)
  await synced(two)
  await synced(one)
  const after = await treeOf(root)
  expect([await treeOf(one.folder), await treeOf(two.folder)]).toEqual([after, after])
  expect(after['client/moved here/0.txt']).toBe('server 0')
  expect(after['server/1/renamed ü & <1>.txt']).toBe('server 1')
  expect(after['server/3/3.txt']).toBe('changed deep below by a program')
  expect(after['server/four/4.txt']).toBe('client 4')
  expect(after['client/5/5.txt']).toBe('changed on the second computer')
  // One file was removed on the disk, and six with a folder.
  expect(Object.keys(after)).toHaveLength(121 - 1 - 6)
})

it('keeps both contents of a file that was changed on both sides', async () => {
  const { root, computer } = await start()
  const one = await computer()
  await writeFile(join(root, 'both.txt'), 'before')
  await synced(one)
  await writeFile(join(root, 'both.txt'), 'of the server, longer')
  await writeFile(join(one.folder, 'both.txt'), 'of the client')
  await one.sync()
  await synced(one)
  const contents = Object.values(await treeOf(one.folder))
  expect(contents.toSorted()).toEqual(['of the client', 'of the server, longer'])
  expect((await treeOf(root))['both.txt']).toBe('of the server, longer')
})

async function start() {
  const home = await mkdtemp(join(tmpdir(), 'satchel-sync-'))
  made.push(() => rm(home, { recursive: true, force: true }))
  const port = await freePort()
  const program = await startProgram(home, { args: ['--port', String(port)] })
  made.push(() => program.kill())
  return {
    root: join(home, 'root'),
    async computer() {
      const computer = await newComputer(() => `http://127.0.0.1:${port}`)
      made.push(async () => computer[Symbol.asyncDispose]())
      return computer
    },
  }
}

/** Syncs until there is nothing left to do, as the desktop client does by itself. */
async function synced(computer: Computer): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { code, text } = await computer.sync()
    if (code === 0) return
    if (tries === 4) throw new Error(text.slice(-3000))
  }
}

/** So many small files, ten in a folder. */
async function plant(folder: string, count: number, name: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    const path = join(folder, name, String(n % 10), `${n}.txt`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${name} ${n}`)
  }
}

/** Paths with their texts; without what the client and the server keep for themselves. */
async function treeOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/^\.(sync_|satchel\/|nextcloudsync|owncloudsync)/.test(path))
  return Object.fromEntries(
    await Promise.all(files.toSorted().map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
  )
}
