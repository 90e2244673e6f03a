import { type ChildProcess, execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Host } from './host.ts'
import { type Behind, startProxy } from './proxy.ts'
import { RUNTIME_COMMAND } from '../../scripts/lib/packages.mjs'

const [BUN, ...OPTIONS] = RUNTIME_COMMAND

export const PASSWORD = 'correct horse battery'

/** A sign-in of the administrator that every copy of a database knows. */
export interface StoredSession {
  readonly token: string
  readonly cookie: { readonly name: string; readonly value: string }
}

/** The people of the walks (people.ts): a database to be copied for each server, in which the administrator has just signed in. */
export interface People {
  readonly file: string
  readonly session: StoredSession
}

/** A server of its own for one walk: the real program on the built web, over a folder that the walk may fill. */
export interface Served {
  readonly url: string
  readonly root: string
  /** The path of `url`: what the router's addresses come after. */
  readonly base: string
  /** The administrator's session, for one browser: null once it has been taken, and where the server is not at its root. */
  takeSession(): StoredSession | null
  /** A file under the served root, with its folders. */
  write(path: string, content: string | Uint8Array): Promise<string>
  /** The machine loses power: the process is gone at once. */
  kill(): Promise<void>
  /** Once more on the same address, over the same files and database. */
  start(): Promise<void>
}

/** @returns a database of the people, in a folder of its own under the temporary one */
export async function makeAccounts(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'satchel-accounts-')), 'satchel.db')
  execFileSync(BUN, [...OPTIONS, 'test/e2e/people.ts', file, PASSWORD])
  return file
}

/** @returns the people of that database, which stays as it is, in a folder of their own under the temporary one */
export async function makePeople(host: Host, accounts: string): Promise<People> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-people-'))
  const file = join(home, 'data', 'satchel.db')
  await mkdir(join(home, 'files'))
  await mkdir(join(home, 'data'))
  await copyFile(accounts, file)
  const server = await host.start(argsOf({ home, base: '', options: [], port: 0 }))
  const session = await signInAhead(server.origin)
  await server.end()
  return { file, session }
}

async function signInAhead(url: string): Promise<StoredSession> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'x-satchel-web': '1', 'user-agent': BROWSER },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const [name = '', value = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  if (!answer.ok || value === '') throw new Error(`the administrator could not sign in: ${answer.status}`)
  return { token: await answer.text(), cookie: { name, value } }
}

/** What the list of devices says of it. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export interface ServerOptions {
  readonly host: Host
  readonly people: People
  /** What an administrator decided before the start, laid over the settings as they are stored. */
  readonly settings?: Record<string, unknown> | undefined
  /** What stands between the browser and the server. */
  readonly behind?: Behind
  /** Flags of the command line. */
  readonly options?: readonly string[]
}

/** Where a server behind a proxy is, for everybody outside. */
const BASE = '/deep/base'

/** Starts a server over an empty folder, runs the walk with it, and leaves nothing behind. */
export async function withServer(
  { host, people, settings, behind = 'nothing', options = [] }: ServerOptions,
  walk: (served: Served) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-e2e-'))
  const root = join(home, 'files')
  await mkdir(root)
  await mkdir(join(home, 'data'))
  await copyFile(people.file, join(home, 'data', 'satchel.db'))
  if (settings !== undefined)
    execFileSync(BUN, [...OPTIONS, 'test/e2e/settings.ts', join(home, 'data', 'satchel.db'), JSON.stringify(settings)])
  const base = behind === 'nothing' ? '' : BASE
  let server = await host.start(argsOf({ home, base, options, port: 0 }))
  let proxy: ChildProcess | null = null
  try {
    const direct = new URL(server.origin)
    const kind = { strips: behind === 'nginx that strips', refuses: behind === 'nginx that refuses' }
    const front = behind === 'nothing' ? null : await startProxy({ home, base, to: direct.host, ...kind })
    proxy = front?.process ?? null
    let session = base === '' ? people.session : null
    await walk({
      url: `${front?.origin ?? direct.origin}${base}`,
      base,
      root,
      takeSession() {
        const taken = session
        session = null
        return taken
      },
      write: (path, content) => put(join(root, path), content),
      kill: host.kill,
      async start() {
        server = await host.start(argsOf({ home, base, options, port: Number(direct.port) }))
      },
    })
  } finally {
    if (proxy !== null) await ended(proxy)
    await server.end()
    await rm(home, { recursive: true, force: true })
  }
}

interface Launch {
  home: string
  base: string
  options: readonly string[]
  port: number
}

function argsOf({ home, base, options, port }: Launch): string[] {
  return ['--root', join(home, 'files'), '--data', join(home, 'data'), '--port', String(port), '--baseURL', base, ...options]
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  await new Promise((resolve) => {
    program.once('exit', resolve)
    program.kill('SIGKILL')
  })
}

async function put(path: string, content: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}
