import { bulkHead } from '../../src/shared/contract/bulk.ts'
import { OPERATION_HEADER } from '../../src/shared/contract/operation-header.ts'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { Refused } from '../contract/program.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import type { Served } from './served.ts'
import type { TreeSnapshot } from './tree-snapshot.ts'

/** What a random operation may use. */
export interface Scene {
  readonly server: Served
  readonly random: Random
  readonly person: Person
  /** A link for sending files. */
  readonly dropBox: string
  /** The tree as it is now. */
  readonly tree: TreeSnapshot
  /** Gestures until now, the latest last, of each person. */
  readonly gestures: Map<string, string[]>
  /** Files that somebody saved since the start: only the first save in ten minutes leaves a version, so rewinding between two of them is not exact. */
  readonly saved: Set<string>
  /** Moments to which the tree may be rewound, in milliseconds since 1970. */
  readonly past: readonly number[]
}

/** What a request needs. */
export type Acting = Pick<Scene, 'server' | 'person' | 'random' | 'gestures'>

type Operation = (scene: Scene) => Promise<unknown>

const TUS = { 'tus-resumable': TUS_VERSION }
const NAMES = ['a', 'b', 'c', 'd', 'ü', 'x y', '%41', 'Ω'] as const
/** Paths have no more segments, and the tree no more nodes, so that operations meet. */
const DEEPEST = 4
const MOST_NODES = 80

/** One random operation, by one of the ways in; a refusal (a taken name, a node that is not there) is fine. */
export async function actAtRandom(scene: Scene): Promise<string> {
  const { random, tree } = scene
  const isFull = tree.size > MOST_NODES
  const choices = Object.entries(OPERATIONS).filter(([name]) => !isFull || !GROWING.has(name))
  const [name, act] = random.one(choices) ?? ['remove', OPERATIONS.remove]
  try {
    await act?.(scene)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  return `${scene.person.name}: ${name}`
}

const GROWING = new Set(['upload', 'bulk', 'tus', 'makeFolder', 'copy', 'copyJob', 'packAndExtract', 'visitor'])

const OPERATIONS: Record<string, Operation> = {
  upload: (scene) => call(scene, `${resource(scene, newPath(scene))}?override=${scene.random.chance(0.4)}`, 'POST', { body: bytes(scene) }),
  async save(scene) {
    const path = filePath(scene)
    const key = `${scene.person.name} ${scene.person.scope}${path}`
    if (scene.saved.has(key)) return
    await call(scene, resource(scene, path), 'PUT', { body: bytes(scene) })
    scene.saved.add(key)
  },
  bulk: (scene) => {
    const files = Array.from({ length: 1 + scene.random.below(4) }, () => ({ path: newPath(scene), bytes: bytes(scene) }))
    const head = bulkHead(files.map(({ path, bytes: { length: size } }) => ({ path, size, override: scene.random.chance(0.3) })))
    return call(scene, '/api/bulk', 'POST', { body: Buffer.concat([Buffer.from(head), ...files.map((file) => file.bytes)]) })
  },
  async tus(scene) {
    const address = `/api/tus${encoded(newPath(scene))}?override=${scene.random.chance(0.4)}`
    const body = bytes(scene)
    const group = { [OPERATION_HEADER]: crypto.randomUUID() }
    await call(scene, address, 'POST', { headers: { ...TUS, ...group, 'upload-length': String(body.length) } })
    const half = scene.random.below(body.length)
    for (const [from, to] of [
      [0, half],
      [half, body.length],
    ] as const) {
      if (from === to) continue
      const headers = { ...TUS, ...group, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE }
      await call(scene, address, 'PATCH', { headers, body: body.subarray(from, to) })
    }
  },
  makeFolder: (scene) => call(scene, `${resource(scene, newPath(scene))}/`, 'POST'),
  copy: (scene) => transfer(scene, 'copy', ''),
  copyOver: (scene) => transfer(scene, 'copy', '&override=true'),
  move: (scene) => transfer(scene, 'rename', ''),
  moveAgain: (scene) => transfer(scene, 'rename', ''),
  moveOver: (scene) => transfer(scene, 'rename', '&override=true'),
  moveNumbered: (scene) => transfer(scene, 'rename', '&rename=true'),
  copyJob: (scene) => job(scene, { kind: 'copy', items: [{ from: anyPath(scene), to: newPath(scene) }] }),
  moveJob: (scene) => job(scene, { kind: 'move', items: [{ from: anyPath(scene), to: newPath(scene), replace: true }] }),
  async packAndExtract(scene) {
    const destination = `${newPath(scene)}.zip`
    await job(scene, { kind: 'pack', paths: [anyPath(scene)], destination, format: 'zip' })
    await job(scene, { kind: 'extract', path: destination, destination: newPath(scene), taken: 'replace' })
    await call(scene, resource(scene, destination), 'DELETE')
  },
  remove: (scene) => call(scene, resource(scene, anyPath(scene)), 'DELETE'),
  removeAgain: (scene) => call(scene, resource(scene, anyPath(scene)), 'DELETE'),
  async removeSeveral(scene) {
    const group = { [OPERATION_HEADER]: crypto.randomUUID() }
    for (let n = 0; n < 3; n++) await call(scene, resource(scene, anyPath(scene)), 'DELETE', { headers: group })
  },
  async fromTrash(scene) {
    const { entries } = (await (await call(scene, '/api/trash?limit=20', 'GET')).json()) as { entries: { id: string }[] }
    const entry = scene.random.one(entries)
    if (entry === undefined) return
    const to = scene.random.chance(0.3) ? { to: newPath(scene) } : {}
    await call(scene, `/api/trash/${entry.id}/restore`, 'POST', { body: JSON.stringify({ replace: scene.random.chance(0.5), ...to }) })
  },
  async restoreVersion(scene) {
    const path = encoded(filePath(scene))
    const { versions } = (await (await call(scene, `/api/versions${path}`, 'GET')).json()) as { versions: { id: string }[] }
    const version = scene.random.one(versions)
    if (version !== undefined) await call(scene, `/api/versions${path}?id=${version.id}`, 'POST')
  },
  undo: (scene) => takeBack(scene, 'undo'),
  undoAgain: (scene) => takeBack(scene, 'undo'),
  redo: (scene) => takeBack(scene, 'redo'),
  async rewind(scene) {
    const moment = scene.random.one(scene.past)
    if (moment !== undefined) await rewind(scene, moment)
  },
  async visitor(scene) {
    const { random, dropBox, server } = scene
    const body = bytes(scene)
    const address = `/api/public/tus/${dropBox}/${crypto.randomUUID()}/${encodeURIComponent(nameFor(random))}`
    const send = async (method: string, init: RequestInit): Promise<void> => {
      const answer = await server.send(address, { method, ...init })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Refused(`${method} ${address}: ${answer.status}`)
    }
    await send('POST', { headers: { ...TUS, 'upload-length': String(body.length) } })
    await send('PATCH', { headers: { ...TUS, 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }, body })
  },
}

/** Fails with `Refused` for an answer that is no success, with something else if the server dies. */
export async function call(
  { server, person, random, gestures }: Acting,
  address: string,
  method: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } = {},
): Promise<Response> {
  // Half of the requests are those of the page, the others of old clients.
  const page: Record<string, string> = random.chance(0.5) ? { 'x-satchel-web': '1' } : {}
  const init = { method, headers: { ...page, ...headers, 'x-auth': person.token }, ...(body !== undefined && { body }) }
  const answer = await server.send(address, init)
  if (!answer.ok) throw new Refused(`${method} ${address}: ${answer.status} ${await answer.text()}`)
  const group = answer.headers.get(OPERATION_HEADER)
  if (group !== null) gestures.set(person.name, [...(gestures.get(person.name) ?? []).filter((one) => one !== group), group].slice(-30))
  const content = await answer.arrayBuffer()
  return new Response(content, { headers: answer.headers })
}

/** Starts a job and waits until it has ended, however. */
export async function job(scene: Scene, order: object): Promise<void> {
  const { id } = (await (await call(scene, '/api/jobs', 'POST', { body: JSON.stringify(order) })).json()) as { id: string }
  await jobEnd(scene, id)
}

/** @returns the state in which it ended, with what failed */
export async function jobEnd(scene: Acting, id: string): Promise<{ state: string; failed: unknown }> {
  for (;;) {
    const jobs = (await (await call(scene, '/api/jobs', 'GET')).json()) as { id: string; state: string; failed: unknown }[]
    const one = jobs.find((other) => other.id === id)
    if (one !== undefined && one.state !== 'waiting' && one.state !== 'running') return one
    await Bun.sleep(6)
  }
}

/** Rewinds all that a person sees. @returns the state in which the job ended, with what failed */
export async function rewind(scene: Acting, at: number): Promise<{ state: string; failed: unknown }> {
  const body = JSON.stringify({ path: '/', to: new Date(at).toISOString() })
  const { job: launched } = (await (await call(scene, '/api/rewind', 'POST', { body })).json()) as { job: { id: string } }
  return jobEnd(scene, launched.id)
}

async function takeBack(scene: Scene, how: 'undo' | 'redo'): Promise<void> {
  const group = scene.random.one((scene.gestures.get(scene.person.name) ?? []).slice(-6))
  if (group === undefined) return
  const { job: launched = null } = (await (await call(scene, `/api/operations/${group}/${how}`, 'POST')).json()) as {
    job?: { id: string } | null
  }
  if (launched !== null) await jobEnd(scene, launched.id)
}

function transfer(scene: Scene, action: 'copy' | 'rename', options: string): Promise<Response> {
  const destination = encodeURIComponent(newPath(scene))
  return call(scene, `${resource(scene, anyPath(scene))}?action=${action}&destination=${destination}${options}`, 'PATCH')
}

function bytes({ random }: Scene): Uint8Array<ArrayBuffer> {
  const size = random.chance(0.1) ? 40_000 : 1 + random.below(300)
  return new Uint8Array(Array.from({ length: size }, () => random.below(256)))
}

/** An existing node, as the person sees it. */
function anyPath(scene: Scene): string {
  return chosen(scene, () => true)
}

function filePath(scene: Scene): string {
  return chosen(scene, (what) => what.startsWith('file'))
}

/** Mostly in an existing folder; a tenth of the paths is taken. */
function newPath(scene: Scene): string {
  const { random } = scene
  if (random.chance(0.1)) return anyPath(scene)
  const folder = random.chance(0.4) ? '' : chosen(scene, (what) => what.startsWith('folder'))
  const segments = [
    ...folder
      .split('/')
      .filter(Boolean)
      .slice(0, DEEPEST - 1),
    nameFor(random),
  ]
  if (random.chance(0.15)) segments.push(nameFor(random))
  return `/${segments.join('/')}`
}

function nameFor(random: Random): string {
  return `${random.one(NAMES)}${random.below(4)}`
}

function chosen({ random, person, tree }: Scene, isWanted: (what: string) => boolean): string {
  const within = person.scope === '/' ? '' : person.scope
  const paths = [...tree]
    .filter(([path, what]) => path.startsWith(`${within}/`) && isWanted(what))
    .map(([path]) => path.slice(within.length))
  return random.one(paths) ?? '/nothing'
}

function resource(_scene: Scene, path: string): string {
  return `/api/resources${encoded(path)}`
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
