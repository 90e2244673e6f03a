import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OFFSET_MEDIA_TYPE, TUS_VERSION } from '../../src/shared/contract/tus.ts'
import { sealed } from '../../src/server/storage/local.crash.sealed.ts'
import { PASSWORD, type Program, Refused } from '../contract/program.ts'
import { type Expected, plantTree, type Places, type Tree, wrongIn } from './tree.ts'

/** Where one deed is done once: two folders of two file systems, and how the program calls what lies in them. */
export interface Scene {
  readonly run: string
  readonly places: Places
  /** `here/a` as the program's users name it. */
  path(name: string): string
}

/** Something that changes what outlives the server, and how to tell whether it went well when the server was killed meanwhile. */
export interface Deed {
  readonly name: string
  prepare(scene: Scene, server: Program): Promise<void>
  /** Returns when it was acknowledged; fails when the server dies before. */
  act(scene: Scene, server: Program): Promise<void>
  /** On the next server over the same folders. @returns what is wrong, in words */
  judge(scene: Scene, server: Program, acknowledged: boolean): Promise<string[]>
}

const ONE = 70_001
const TWO = 90_002
const THREE = 110_003
const MORE = 1_500_004
const TUS_BYTES = 300_007
const TUS = { 'tus-resumable': TUS_VERSION }
/** How long the lease of a server that was killed keeps others out, and a little more. */
const LEASE_MS = 8000

/** Every path by which the program writes. */
export const DEEDS: readonly Deed[] = [
  onTree('upload', { before: {}, after: { 'here/a': ONE }, atOnce: true }, (to, ask) => ask(to('here/a'), post(ONE))),
  onTree('upload, large', { before: {}, after: { 'here/a': MORE }, atOnce: true }, (to, ask) => ask(to('here/a'), post(MORE))),
  onTree(
    'upload into a new folder',
    { before: {}, after: { 'here/n': 'folder', 'here/n/m': 'folder', 'here/n/m/a': ONE }, atOnce: false },
    (to, ask) => ask(to('here/n/m/a'), post(ONE)),
  ),
  onTree('upload over', { before: { 'here/a': ONE }, after: { 'here/a': TWO }, atOnce: true }, (to, ask) =>
    ask(`${to('here/a')}?override=true`, post(TWO)),
  ),
  onTree('save', { before: { 'here/a': ONE }, after: { 'here/a': TWO }, atOnce: true }, (to, ask) =>
    ask(to('here/a'), { method: 'PUT', body: sealed(TWO) }),
  ),
  onTree('new folder', { before: {}, after: { 'here/n': 'folder' }, atOnce: true }, (to, ask) =>
    ask(`${to('here/n')}/`, { method: 'POST' }),
  ),
  ...(['here', 'there'] as const).flatMap((goal) => transfers(goal)),
  onTree('delete a file', { before: { 'here/a': ONE }, after: {}, atOnce: true }, (to, ask) => ask(to('here/a'), { method: 'DELETE' })),
  onTree('delete a folder', { before: branch('here/d'), after: {}, atOnce: false }, (to, ask) => ask(to('here/d'), { method: 'DELETE' })),
  onTree(
    'extract',
    {
      before: { ...branch('here/d'), 'here/x': 'folder' },
      after: { ...branch('here/d'), ...branch('here/x') },
      atOnce: false,
    },
    (to, ask, scene, server) =>
      job(server, { kind: 'extract', path: archiveOf(scene), destination: `/${scene.path('here/x')}` }).then(() => undefined),
    async (scene, server) =>
      job(server, { kind: 'pack', paths: [`/${scene.path('here/d')}`], destination: archiveOf(scene), format: 'zip' }),
  ),
  {
    name: 'compress',
    prepare: async (scene) => plantTree(scene.places, branch('here/d')),
    act: (scene, server) =>
      job(server, { kind: 'pack', paths: [`/${scene.path('here/d')}`], destination: archiveOf(scene), format: 'zip' }),
    async judge(scene, _, acknowledged) {
      const archive = join(scene.places.here, '..', archiveOf(scene))
      if (!existsSync(archive)) return acknowledged ? ['acknowledged, and not there'] : []
      const { status, stdout } = spawnSync('unzip', ['-tqq', archive], { encoding: 'utf8' })
      return status === 0 ? [] : [`the archive is not whole: ${stdout}`]
    },
  },
  tus('announce', { begun: false, sent: 0, sending: 0 }),
  tus('append', { begun: true, sent: 100_000, sending: 100_000 }),
  tus('finish', { begun: true, sent: 200_000, sending: 100_007 }),
  {
    name: 'make a link',
    prepare: async (scene) => plantTree(scene.places, { 'here/a': ONE }),
    act: (scene, server) => server.ask(`/api/share/${scene.path('here/a')}`, { method: 'POST', body: '{}' }).then(() => undefined),
    async judge(scene, server, acknowledged) {
      const links = await linksOf(scene, server)
      if (acknowledged && links.length !== 1) return [`acknowledged, and there are ${links.length} links`]
      const opened = await Promise.all(links.map((hash) => server.open(`/api/public/share/${hash}`, { method: 'GET' })))
      return opened.filter(({ ok }) => !ok).map(({ status }) => `the link answers ${status}`)
    },
  },
  {
    name: 'save what a link leads to',
    async prepare(scene, server) {
      plantTree(scene.places, { 'here/a': ONE })
      await server.ask(`/api/share/${scene.path('here/a')}`, { method: 'POST', body: '{}' })
    },
    act: (scene, server) =>
      server.ask(`/api/resources/${scene.path('here/a')}`, { method: 'PUT', body: sealed(TWO) }).then(() => undefined),
    async judge(scene, server, acknowledged) {
      const wrong = wrongIn(scene.places, { before: { 'here/a': ONE }, after: { 'here/a': TWO }, atOnce: true }, acknowledged)
      const [hash = 'none'] = await linksOf(scene, server)
      const { ok, status } = await server.open(`/api/public/share/${hash}`, { method: 'GET' })
      return ok ? wrong : [...wrong, `the link was lost: ${status}`]
    },
  },
  {
    name: 'delete a link',
    async prepare(scene, server) {
      plantTree(scene.places, { 'here/a': ONE })
      await server.ask(`/api/share/${scene.path('here/a')}`, { method: 'POST', body: '{}' })
    },
    async act(scene, server) {
      for (const hash of await linksOf(scene, server)) await server.ask(`/api/share/${hash}`, { method: 'DELETE' })
    },
    async judge(scene, server, acknowledged) {
      const links = await linksOf(scene, server)
      return acknowledged && links.length > 0 ? ['acknowledged, and still there'] : []
    },
  },
  {
    name: 'make an account',
    prepare: async ({ places }) => plantTree(places, {}),
    act: (scene, server) => server.ask('/api/users', { method: 'POST', body: account(scene) }).then(() => undefined),
    async judge({ run }, server, acknowledged) {
      const there = (await usersOf(server)).some(({ username }) => username === run)
      return acknowledged && !there ? ['acknowledged, and not there'] : []
    },
  },
  {
    name: 'change a password',
    async prepare(scene, server) {
      plantTree(scene.places, {})
      await server.ask('/api/users', { method: 'POST', body: account(scene) })
    },
    async act({ run }, server) {
      const user = (await usersOf(server)).find(({ username }) => username === run)
      const data = { ...user, password: `${PASSWORD} anew` }
      const body = JSON.stringify({ what: 'user', which: ['password'], data, current_password: PASSWORD })
      await server.ask(`/api/users/${String(user?.['id'])}`, { method: 'PUT', body })
    },
    async judge({ run }, server, acknowledged) {
      const letsIn = async (password: string): Promise<boolean> =>
        (await server.open('/api/login', { method: 'POST', body: JSON.stringify({ username: run, password }) })).ok
      const [old, fresh] = [await letsIn(PASSWORD), await letsIn(`${PASSWORD} anew`)]
      if (old === fresh) return [old ? 'both passwords are good' : 'neither password is good']
      return acknowledged && old ? ['acknowledged, and the old password is good'] : []
    },
  },
  {
    name: 'change settings',
    prepare: async ({ places }) => plantTree(places, {}),
    async act({ run }, server) {
      const settings = await settingsOf(server)
      const body = JSON.stringify({ ...settings, branding: { ...settings.branding, name: run }, current_password: PASSWORD })
      await server.ask('/api/settings', { method: 'PUT', body })
    },
    async judge({ run }, server, acknowledged) {
      const { name } = (await settingsOf(server)).branding
      return acknowledged && name !== run ? [`acknowledged, and the name is ${String(name)}`] : []
    },
  },
]

type Ask = (address: string, init: RequestInit) => Promise<unknown>
type Act = (to: (name: string) => string, ask: Ask, scene: Scene, server: Program) => Promise<unknown>

function onTree(name: string, expected: Expected, act: Act, prepare?: (scene: Scene, server: Program) => Promise<unknown>): Deed {
  return {
    name,
    async prepare(scene, server) {
      plantTree(scene.places, expected.before)
      await prepare?.(scene, server)
    },
    async act(scene, server) {
      const to = (at: string): string => `/api/resources/${scene.path(at)}`
      await act(to, (address, init) => server.ask(address, init), scene, server)
    },
    judge: async (scene, _, acknowledged) => wrongIn(scene.places, expected, acknowledged),
  }
}

/** A folder with files at two levels. */
function branch(folder: string, sizes: readonly [number, number, number] = [ONE, TWO, THREE]): Tree {
  return {
    [folder]: 'folder',
    [`${folder}/a`]: sizes[0],
    [`${folder}/sub`]: 'folder',
    [`${folder}/sub/b`]: sizes[1],
    [`${folder}/sub/deep`]: sizes[2],
  }
}

/** Copies and moves within one file system (`here`) or into another. */
function transfers(goal: 'here' | 'there'): Deed[] {
  const where = goal === 'here' ? '' : ' to another disk'
  const a = { 'here/a': ONE }
  const old = { [`${goal}/b`]: TWO }
  const made = { [`${goal}/b`]: ONE }
  const folder = branch('here/d')
  const placed = branch(`${goal}/e`)
  const standing: Tree = { [`${goal}/e`]: 'folder', [`${goal}/e/a`]: 5000, [`${goal}/e/own`]: 6000 }
  const pairs = Object.keys(folder)
    .filter((name) => folder[name] !== 'folder')
    .map((name) => [name, name.replace('here/d', `${goal}/e`)] as const)
  const isRename = goal === 'here'
  const deed = (action: 'copy' | 'rename', options: { of: string; replace?: boolean }): Act => {
    return (to, ask, scene) => {
      const name = options.of === 'a' ? 'b' : 'e'
      const destination = encodeURIComponent(`/${scene.path(`${goal}/${name}`)}`)
      return ask(`${to(`here/${options.of}`)}?action=${action}&destination=${destination}&override=${options.replace === true}`, {
        method: 'PATCH',
      })
    }
  }
  return [
    onTree(`copy a file${where}`, { before: a, after: { ...a, ...made }, atOnce: true }, deed('copy', { of: 'a' })),
    onTree(
      `copy a file over another${where}`,
      { before: { ...a, ...old }, after: { ...a, ...made }, atOnce: true },
      deed('copy', { of: 'a', replace: true }),
    ),
    onTree(`copy a folder${where}`, { before: folder, after: { ...folder, ...placed }, atOnce: false }, deed('copy', { of: 'd' })),
    onTree(
      `move a file${where}`,
      { before: a, after: made, atOnce: isRename, oneOf: [['here/a', `${goal}/b`]] },
      deed('rename', { of: 'a' }),
    ),
    onTree(
      `move a file over another${where}`,
      { before: { ...a, ...old }, after: made, atOnce: isRename, oneOf: [['here/a', `${goal}/b`]] },
      deed('rename', { of: 'a', replace: true }),
    ),
    onTree(`move a folder${where}`, { before: folder, after: placed, atOnce: isRename, oneOf: pairs }, deed('rename', { of: 'd' })),
    onTree(
      `merge a folder into another${where}`,
      { before: { ...folder, ...standing }, after: { ...standing, ...placed }, atOnce: false, oneOf: pairs },
      deed('rename', { of: 'd', replace: true }),
    ),
  ]
}

function post(size: number): RequestInit {
  return { method: 'POST', body: sealed(size) }
}

function archiveOf({ run }: Scene): string {
  return `/packed-${run}.zip`
}

async function job(server: Program, order: object): Promise<void> {
  const { id } = (await (await opened(server, '/api/jobs', { method: 'POST', body: JSON.stringify(order) })).json()) as { id: string }
  for (;;) {
    const jobs = (await (await opened(server, '/api/jobs', { method: 'GET' })).json()) as { id: string; state: string }[]
    const state = jobs.find((one) => one.id === id)?.state
    if (state === 'done') return
    if (state === 'failed') throw new Error('the job failed')
    await Bun.sleep(5)
  }
}

async function opened(server: Program, address: string, init: RequestInit): Promise<Response> {
  const answer = await server.open(address, init)
  if (!answer.ok) throw new Refused(`${address}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** @param part what was sent before, and what is sent while the server is killed */
function tus(name: string, { begun, sent, sending }: { begun: boolean; sent: number; sending: number }): Deed {
  const bytes = sealed(TUS_BYTES - sealed(0).length)
  const address = (scene: Scene): string => `/api/tus/${scene.path('here/a')}`
  const announce = (scene: Scene, server: Program): Promise<unknown> =>
    server.ask(address(scene), {
      method: 'POST',
      headers: { ...TUS, 'upload-length': String(TUS_BYTES), 'upload-metadata': `filename ${btoa(scene.run)}` },
    })
  const send = (scene: Scene, server: Program, from: number, to: number): Promise<unknown> =>
    server.ask(address(scene), {
      method: 'PATCH',
      headers: { ...TUS, 'upload-offset': String(from), 'content-type': OFFSET_MEDIA_TYPE },
      body: bytes.slice(from, to),
    })
  return {
    name: `resumable upload: ${name}`,
    async prepare(scene, server) {
      plantTree(scene.places, {})
      if (begun) await announce(scene, server)
      if (sent > 0) await send(scene, server, 0, sent)
    },
    async act(scene, server) {
      if (!begun) await announce(scene, server)
      if (sending > 0) await send(scene, server, sent, sent + sending)
    },
    async judge(scene, server, acknowledged) {
      const done = { 'here/a': TUS_BYTES - sealed(0).length }
      const isLast = sent + sending === TUS_BYTES
      const wrong = wrongIn(scene.places, { before: {}, after: isLast ? done : {}, atOnce: true }, acknowledged)
      const told = await patiently(() => server.open(address(scene), { method: 'HEAD', headers: TUS }))
      const offset = Number(told.headers.get('upload-offset'))
      if (!told.ok && (acknowledged || begun)) return [...wrong, `the upload was lost: ${told.status}`]
      const known = acknowledged ? sent + sending : sent
      if (offset < known) wrong.push(`${known} bytes were acknowledged, and ${offset} are here`)
      if (!told.ok) await announce(scene, server)
      if (offset < TUS_BYTES) {
        const body = bytes.slice(offset)
        const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': OFFSET_MEDIA_TYPE }
        const sent = await patiently(() => server.open(address(scene), { method: 'PATCH', headers, body }))
        if (!sent.ok) wrong.push(`it could not go on at ${offset}: ${sent.status}`)
      }
      return [...wrong, ...wrongIn(scene.places, { before: {}, after: done, atOnce: true }, true)]
    },
  }
}

/** As long as the answer is that somebody else is at work on it. */
async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (const end = Date.now() + LEASE_MS; ; await Bun.sleep(100)) {
    const answer = await ask()
    if (answer.status !== 423 || Date.now() > end) return answer
  }
}

async function linksOf(scene: Scene, server: Program): Promise<string[]> {
  const answer = await opened(server, `/api/share/${scene.path('here/a')}`, { method: 'GET' })
  return ((await answer.json()) as { hash: string }[]).map(({ hash }) => hash)
}

async function usersOf(server: Program): Promise<Record<string, unknown>[]> {
  return (await (await opened(server, '/api/users', { method: 'GET' })).json()) as Record<string, unknown>[]
}

async function settingsOf(server: Program): Promise<{ branding: Record<string, unknown> }> {
  return (await (await opened(server, '/api/settings', { method: 'GET' })).json()) as { branding: Record<string, unknown> }
}

function account({ run }: Scene): string {
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const data = { username: run, password: PASSWORD, scope: '/', locale: '', lockPassword: false, perm, commands: [], rules: [] }
  return JSON.stringify({ what: 'user', which: [], data, current_password: PASSWORD })
}
