import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from '../contract/program.ts'
import { request, type Operation, type Scene } from './operation.ts'
import { branch } from './tree-operations.ts'
import { plantTree, type Tree, wrongIn } from './tree.ts'

/** A server settles what the one before it left, while it serves already. */
const LONGEST_SETTLING_MS = 10_000

interface Entry {
  readonly id: string
  readonly path: string
}

/** Whatever happens, a node is in one place, whole: where it was, or listed in the trash, from where it can be restored. */
export const trashOperations = (): Operation[] => [
  deletion('a file', 'here/a', { 'here/a': 70_001 }),
  deletion('a folder', 'here/d', branch('here/d')),
  deletion('a folder on another disk', 'there/d', branch('there/d')),
  restoration('a folder', 'here/d', branch('here/d')),
  restoration('a folder into one that has gone', 'here/n/d', { 'here/n': 'folder', ...branch('here/n/d') }),
]

function deletion(what: string, name: string, tree: Tree): Operation {
  return {
    name: `to the trash: ${what}`,
    prepare: async (scene) => plantTree(scene.folders, tree),
    act: async (scene, server) => void (await remove(server, scene, name)),
    async verify(scene, server, acknowledged) {
      const wrong = await wrongAfter(scene, server, name, tree)
      if (acknowledged && isThere(scene, name)) wrong.push('acknowledged, and still there')
      return wrong.concat(await restored(scene, server, name, tree))
    },
  }
}

function restoration(what: string, name: string, tree: Tree): Operation {
  return {
    name: `from the trash: ${what}`,
    async prepare(scene, server) {
      plantTree(scene.folders, tree)
      await remove(server, scene, name)
      const parent = name.split('/').slice(0, -1).join('/')
      if (parent !== 'here') await request(server, `/api/resources/${scene.path(parent)}?permanent=true`, { method: 'DELETE' })
    },
    async act(scene, server) {
      const [entry] = await entriesOf(scene, server, name)
      await request(server, `/api/trash/${entry?.id}/restore`, { method: 'POST', body: '{}' })
    },
    async verify(scene, server, acknowledged) {
      const wrong = await wrongAfter(scene, server, name, tree)
      if (acknowledged && !isThere(scene, name)) wrong.push('acknowledged, and not there')
      return wrong.concat(await restored(scene, server, name, tree))
    },
  }
}

/** In one place, and shown there. */
async function wrongAfter(scene: Scene, server: Program, name: string, tree: Tree): Promise<string[]> {
  const end = Date.now() + LONGEST_SETTLING_MS
  for (;;) {
    const there = isThere(scene, name)
    const listed = (await entriesOf(scene, server, name)).length
    if (listed === (there ? 0 : 1)) return there ? wrongIn(scene.folders, { before: tree, after: tree, atOnce: true }, false) : []
    if (Date.now() > end) return [there ? `there, and ${listed} times in the trash` : `gone, and ${listed} times in the trash`]
    await Bun.sleep(20)
  }
}

/** @returns what is wrong once it has been restored, if it is in the trash */
async function restored(scene: Scene, server: Program, name: string, tree: Tree): Promise<string[]> {
  for (const { id } of await entriesOf(scene, server, name)) {
    const response = await server.open(`/api/trash/${id}/restore`, { method: 'POST', body: '{}' })
    if (!response.ok) return [`cannot be restored: ${response.status} ${await response.text()}`]
  }
  return wrongIn(scene.folders, { before: tree, after: tree, atOnce: true }, true)
}

function isThere({ folders, path }: Scene, name: string): boolean {
  const root = name.startsWith('there') ? join(folders.there, '../..') : join(folders.here, '..')
  return existsSync(join(root, path(name)))
}

async function remove(server: Program, scene: Scene, name: string): Promise<void> {
  const response = await request(server, `/api/resources/${scene.path(name)}`, { method: 'DELETE' })
  if (response.headers.get('x-satchel-operation') === null) throw new Error(`${name} did not go to the trash`)
}

async function entriesOf(scene: Scene, server: Program, name: string): Promise<Entry[]> {
  const response = await request(server, '/api/trash?limit=500', { method: 'GET' })
  const { entries } = (await response.json()) as { entries: Entry[] }
  return entries.filter(({ path }) => path === `/${scene.path(name)}`)
}
