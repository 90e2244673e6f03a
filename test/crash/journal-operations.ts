import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sealed } from '../../src/server/storage/test-sealed.ts'
import type { Program } from '../contract/program.ts'
import { type Operation, request, type Scene } from './operation.ts'
import { branch, ONE, TWO } from './tree-operations.ts'
import { plantTree, type Tree, wrongIn } from './tree.ts'

/** A server settles what the one before it left, while it serves already. */
const LONGEST_SETTLING_MS = 10_000
/** By then everything is settled that was answered: being killed before that is being killed before a row is settled. */
const SETTLED_AFTER_MS = 700

/** Whatever happens, the journal has what the disk shows, what refers to paths is where the node is, and undoing brings back what was before. */
export const journalOperations = (): Operation[] => [
  recorded('create', { tree: {}, made: { 'here/a': ONE } }, (ask, to) => ask(to('here/a'), { method: 'POST', body: sealed(ONE) })),
  recorded('replace', { tree: { 'here/a': ONE }, made: { 'here/a': TWO } }, (ask, to) =>
    ask(`${to('here/a')}?override=true`, { method: 'POST', body: sealed(TWO) }),
  ),
  recorded('move', { tree: { 'here/a': ONE }, made: { 'here/b': ONE }, referred: ['here/a', 'here/b'] }, (ask, to, scene) =>
    ask(transfer(to('here/a'), scene.path('here/b')), { method: 'PATCH' }),
  ),
  recorded('delete', { tree: branch('here/d'), made: {} }, (ask, to) => ask(to('here/d'), { method: 'DELETE' })),
  recorded('restore', { tree: {}, made: { 'here/a': ONE }, deleted: 'here/a' }, async (ask, _, scene, server) => {
    const { entries } = (await (await request(server, '/api/trash?limit=500', { method: 'GET' })).json()) as {
      entries: { id: string; path: string }[]
    }
    const entry = entries.find(({ path }) => path === `/${scene.path('here/a')}`)
    await ask(`/api/trash/${entry?.id}/restore`, { method: 'POST', body: '{}' })
  }),
  recorded('merge', { tree: { ...branch('here/d'), ...STANDING }, made: { ...STANDING, ...branch('here/e') } }, (ask, to, scene) =>
    ask(`${transfer(to('here/d'), scene.path('here/e'))}&override=true`, { method: 'PATCH' }),
  ),
]

const STANDING: Tree = { 'here/e': 'folder', 'here/e/a': 5000, 'here/e/own': 6000 }

interface What {
  readonly tree: Tree
  readonly made: Tree
  /** What a link, a favourite and a version refer to, and where that is afterwards. */
  readonly referred?: readonly [string, string]
  /** What is planted and goes to the trash before. */
  readonly deleted?: string
}

type Ask = (address: string, init: RequestInit) => Promise<unknown>
type Act = (ask: Ask, to: (name: string) => string, scene: Scene, server: Program) => Promise<unknown>

function recorded(name: string, what: What, act: Act): Operation {
  const { tree, made, referred, deleted } = what
  const answered = new Set<string>()
  const links = new Map<string, string>()
  return {
    name: `the journal: ${name}`,
    async prepare(scene, server) {
      plantTree(scene.folders, deleted === undefined ? tree : { [deleted]: ONE })
      if (deleted !== undefined) await server.ask(`/api/resources/${scene.path(deleted)}`, { method: 'DELETE' })
      if (referred !== undefined) links.set(scene.run, await refer(scene, server, referred[0], ONE))
    },
    async act(scene, server) {
      const headers = { 'x-satchel-operation': groupOf(scene) }
      const ask: Ask = (address, init) => server.ask(address, { ...init, headers: { ...init.headers, ...headers } })
      await act(ask, (at) => `/api/resources/${scene.path(at)}`, scene, server)
      answered.add(scene.run)
      await Bun.sleep(SETTLED_AFTER_MS)
    },
    async verify(scene, server, acknowledged) {
      const wrong = await unsettled(databaseOf(scene))
      wrong.push(
        ...wrongIn(scene.folders, { before: tree, after: made, atOnce: name !== 'merge' }, acknowledged || answered.has(scene.run)),
      )
      wrong.push(...unlikeTheDisk(scene, name))
      const hash = links.get(scene.run)
      if (referred !== undefined && hash !== undefined)
        wrong.push(...(await misled(scene, server, existsSync(diskPath(scene, referred[1])) ? referred[1] : referred[0], hash)))
      // What did not happen has nothing to be taken back.
      await server.open(`/api/operations/${groupOf(scene)}/undo`, { method: 'POST' }).then((answer) => answer.arrayBuffer())
      return [...wrong, ...wrongIn(scene.folders, { before: tree, after: tree, atOnce: true }, true).map((one) => `undone: ${one}`)]
    },
  }
}

/** Waits. @returns what the journal of a database has not settled */
export async function unsettled(file: string): Promise<string[]> {
  for (const end = Date.now() + LONGEST_SETTLING_MS; ; await Bun.sleep(50)) {
    using db = new Database(file, { readonly: true })
    const open = db.query<{ id: string }, []>(`select id from operations_open union select id from operations where state in
      ('intended', 'restoring', 'purging')`)
    const left = open.all()
    if (left.length === 0) return []
    if (Date.now() > end) return [`${left.length} rows of the journal are not settled`]
  }
}

/** What the journal says to be there is there, and what is new or has gone is in it. */
function unlikeTheDisk(scene: Scene, name: string): string[] {
  using db = new Database(databaseOf(scene), { readonly: true })
  const rows = db.query<{ kind: string; path: string; origin: string | null; state: string }, [string]>(
    'select kind, path, origin, state from operations where group_id = ? order by id',
  )
  const done = rows.all(groupOf(scene)).filter(({ state }) => state === 'done')
  const wrong: string[] = []
  const isThere = (path: string): boolean => existsSync(join(scene.folders.here, '..', path))
  for (const { kind, path, origin } of done) {
    if (isThere(path) !== (kind !== 'delete')) wrong.push(`the journal has ${kind} of ${path} as done`)
    if (origin !== null && kind === 'move' && isThere(origin)) wrong.push(`the journal has ${origin} as moved`)
  }
  const changed = { create: 'here/a', move: 'here/b', restore: 'here/a' }[name]
  if (changed !== undefined && existsSync(diskPath(scene, changed)) !== done.length > 0)
    wrong.push(`the journal lacks ${changed}, or has too much`)
  if (name === 'delete' && existsSync(diskPath(scene, 'here/d')) === done.length > 0)
    wrong.push('the journal lacks the deletion, or has too much')
  return wrong
}

/** A link, a favourite and a version of a file. @returns the link */
export async function refer(scene: Pick<Scene, 'path'>, server: Program, name: string, size: number): Promise<string> {
  const path = scene.path(name)
  await server.ask(`/api/resources/${path}`, { method: 'PUT', body: sealed(size) })
  await server.ask(`/api/favourites/${path}`, { method: 'PUT' })
  const made = await request(server, `/api/share/${path}`, { method: 'POST', body: '{}' })
  return ((await made.json()) as { hash: string }).hash
}

/** @returns what does not lead to a file, in words */
export async function misled(scene: Pick<Scene, 'path'>, server: Program, name: string, hash: string): Promise<string[]> {
  const path = scene.path(name)
  const wrong: string[] = []
  const { status } = await server.open(`/api/public/dl/${hash}`, { method: 'GET' })
  if (status !== 200) wrong.push(`the link answers ${status}`)
  const { favourites } = (await (await request(server, '/api/places', { method: 'GET' })).json()) as { favourites: { path: string }[] }
  if (!favourites.some((one) => one.path === `/${path}`)) wrong.push(`no favourite leads to ${path}`)
  const { versions } = (await (await request(server, `/api/versions/${path}`, { method: 'GET' })).json()) as { versions: unknown[] }
  if (versions.length !== 1) wrong.push(`${path} has ${versions.length} versions`)
  return wrong
}

function transfer(address: string, destination: string): string {
  return `${address}?action=rename&destination=${encodeURIComponent(`/${destination}`)}`
}

/** A gesture for each run. */
function groupOf({ run }: Scene): string {
  return `00000000-0000-4000-8000-${run.replace(/\D/g, '').padStart(12, '0')}`
}

function databaseOf({ folders }: Scene): string {
  return join(folders.here, '../../data/satchel.db')
}

function diskPath({ folders }: Scene, name: string): string {
  return join(folders.here, name.slice('here/'.length))
}
