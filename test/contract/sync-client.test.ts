import { rename, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, setDefaultTimeout } from 'bun:test'
import { basic, LOCK_BODY } from './dav-calls.ts'
import { PASSWORD } from './program.ts'
import { plant, startSyncedServer, synced, treeOf } from './sync-world.ts'

setDefaultTimeout(300_000)

it('the desktop client keeps two computers and the folder of other programs in sync: new, changed, renamed, moved and removed', async () => {
  await using server = await startSyncedServer()
  const { root, computer } = server
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
  await using server = await startSyncedServer()
  const { root, computer } = server
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

it('sends the other files of a request in which the server refuses one, and that one when it may', async () => {
  await using server = await startSyncedServer()
  const one = await server.computer()
  const authorization = basic('admin', PASSWORD)
  const { url } = server.program()
  const locked = await fetch(`${url}/dav/5.txt`, { method: 'LOCK', headers: { authorization, depth: '0' }, body: LOCK_BODY })
  expect(locked.status).toBe(201)
  for (let n = 0; n < 40; n++) await writeFile(join(one.folder, `${n}.txt`), `file ${n}`)
  await one.sync()
  await one.sync()
  const before = await treeOf(server.root)
  expect([Object.keys(before).length, before['5.txt'], before['39.txt']]).toEqual([40, '', 'file 39'])
  const token = locked.headers.get('lock-token') ?? ''
  expect((await fetch(`${url}/dav/5.txt`, { method: 'UNLOCK', headers: { authorization, 'lock-token': token } })).status).toBe(204)
  await synced(one, { tries: 6 })
  const all = await treeOf(server.root)
  expect(new Set([...Object.values(all), ...Object.values(await treeOf(one.folder))])).toContain('file 5')
})

it('sync-client-1: answers 404 to what clients ask and the server does not know, not with the page of the web', async () => {
  await using server = await startSyncedServer()
  const { url } = server.program()
  const statusOf = async (path: string) => (await fetch(url + path, { headers: { authorization: basic('admin', PASSWORD) } })).status
  for (const path of [
    '/index.php/avatar/admin/64',
    '/remote.php/dav/avatars/admin/64',
    '/index.php/s/abc',
    '/public.php/webdav',
    '/remote.php/dav/',
  ])
    expect([path, await statusOf(path)]).toEqual([path, 404])
})
