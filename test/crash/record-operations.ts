import { sealed } from '../../src/server/storage/test-sealed.ts'
import { PASSWORD, type Program } from '../contract/program.ts'
import { request, type Operation, type Scene } from './operation.ts'
import { ONE, TWO } from './tree-operations.ts'
import { plantTree, wrongIn } from './tree.ts'

/** What is kept in the database. */
export const recordOperations = (): Operation[] => [
  {
    name: 'make a link',
    prepare: async (scene) => plantTree(scene.folders, { 'here/a': ONE }),
    act: (scene, server) => server.ask(`/api/share/${scene.path('here/a')}`, { method: 'POST', body: '{}' }).then(() => undefined),
    async verify(scene, server, acknowledged) {
      const links = await linksOf(scene, server)
      if (acknowledged && links.length !== 1) return [`acknowledged, and there are ${links.length} links`]
      const opened = await Promise.all(links.map((hash) => server.open(`/api/public/share/${hash}`, { method: 'GET' })))
      return opened.filter(({ ok }) => !ok).map(({ status }) => `the link answers ${status}`)
    },
  },
  {
    name: 'save what a link leads to',
    async prepare(scene, server) {
      plantTree(scene.folders, { 'here/a': ONE })
      await server.ask(`/api/share/${scene.path('here/a')}`, { method: 'POST', body: '{}' })
    },
    act: (scene, server) =>
      server.ask(`/api/resources/${scene.path('here/a')}`, { method: 'PUT', body: sealed(TWO) }).then(() => undefined),
    async verify(scene, server, acknowledged) {
      const wrong = wrongIn(scene.folders, { before: { 'here/a': ONE }, after: { 'here/a': TWO }, atOnce: true }, acknowledged)
      const [hash = 'none'] = await linksOf(scene, server)
      const { ok, status } = await server.open(`/api/public/share/${hash}`, { method: 'GET' })
      return ok ? wrong : [...wrong, `the link was lost: ${status}`]
    },
  },
  {
    name: 'delete a link',
    async prepare(scene, server) {
      plantTree(scene.folders, { 'here/a': ONE })
      await server.ask(`/api/share/${scene.path('here/a')}`, { method: 'POST', body: '{}' })
    },
    async act(scene, server) {
      for (const hash of await linksOf(scene, server)) await server.ask(`/api/share/${hash}`, { method: 'DELETE' })
    },
    async verify(scene, server, acknowledged) {
      const links = await linksOf(scene, server)
      return acknowledged && links.length > 0 ? ['acknowledged, and still there'] : []
    },
  },
  {
    name: 'make an account',
    prepare: async ({ folders }) => plantTree(folders, {}),
    act: (scene, server) => server.ask('/api/users', { method: 'POST', body: accountOf(scene.run) }).then(() => undefined),
    async verify({ run }, server, acknowledged) {
      const there = (await usersOf(server)).some(({ username }) => username === run)
      return acknowledged && !there ? ['acknowledged, and not there'] : []
    },
  },
  {
    name: 'change a password',
    async prepare(scene, server) {
      plantTree(scene.folders, {})
      await server.ask('/api/users', { method: 'POST', body: accountOf(scene.run) })
    },
    async act({ run }, server) {
      const user = (await usersOf(server)).find(({ username }) => username === run)
      const data = { ...user, password: `${PASSWORD} anew` }
      const body = JSON.stringify({ what: 'user', which: ['password'], data, current_password: PASSWORD })
      await server.ask(`/api/users/${String(user?.['id'])}`, { method: 'PUT', body })
    },
    async verify({ run }, server, acknowledged) {
      const letsIn = async (password: string): Promise<boolean> =>
        (await server.open('/api/login', { method: 'POST', body: JSON.stringify({ username: run, password }) })).ok
      const [old, fresh] = [await letsIn(PASSWORD), await letsIn(`${PASSWORD} anew`)]
      if (old === fresh) return [old ? 'both passwords are good' : 'neither password is good']
      return acknowledged && old ? ['acknowledged, and the old password is good'] : []
    },
  },
  {
    name: 'change settings',
    prepare: async ({ folders }) => plantTree(folders, {}),
    async act({ run }, server) {
      const settings = await settingsOf(server)
      const body = JSON.stringify({ ...settings, branding: { ...settings.branding, name: run }, current_password: PASSWORD })
      await server.ask('/api/settings', { method: 'PUT', body })
    },
    async verify({ run }, server, acknowledged) {
      const { name } = (await settingsOf(server)).branding
      return acknowledged && name !== run ? [`acknowledged, and the name is ${String(name)}`] : []
    },
  },
]

async function linksOf(scene: Scene, server: Program): Promise<string[]> {
  const answer = await request(server, `/api/share/${scene.path('here/a')}`, { method: 'GET' })
  return ((await answer.json()) as { hash: string }[]).map(({ hash }) => hash)
}

async function usersOf(server: Program): Promise<Record<string, unknown>[]> {
  return (await (await request(server, '/api/users', { method: 'GET' })).json()) as Record<string, unknown>[]
}

async function settingsOf(server: Program): Promise<{ branding: Record<string, unknown> }> {
  return (await (await request(server, '/api/settings', { method: 'GET' })).json()) as { branding: Record<string, unknown> }
}

/** The body by which an administrator makes somebody. */
export function accountOf(username: string): string {
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const data = { username, password: PASSWORD, scope: '/', locale: '', lockPassword: false, perm, commands: [], rules: [] }
  return JSON.stringify({ what: 'user', which: [], data, current_password: PASSWORD })
}
