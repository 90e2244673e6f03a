import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Behind, startProxy } from './proxy.ts'

const BUN = 'node_modules/.bin/bun'

export const PASSWORD = 'correct horse battery'

/** A server of its own for one walk: a real process on the built web, over a folder that the walk may fill. */
export interface Served {
  readonly url: string
  readonly root: string
  /** The path of `url`: what the router's addresses come after. */
  readonly base: string
  /** A file under the served root, with its folders. */
  write(path: string, content: string | Uint8Array): Promise<string>
  /** The machine loses power: the process is gone at once. */
  kill(): Promise<void>
  /** Once more on the same address, over the same files and database. */
  start(): Promise<void>
}

/** A database with the people of the walks (people.ts), to be copied for each server. @returns its file */
export async function makePeople(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'satchel-people-')), 'satchel.db')
  execFileSync(BUN, ['test/e2e/people.ts', file, PASSWORD])
  return file
}

export interface ServerOptions {
  /** The file of `makePeople`. */
  readonly people: string
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
  { people, settings, behind = 'nothing', options = [] }: ServerOptions,
  walk: (served: Served) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-e2e-'))
  const root = join(home, 'files')
  await mkdir(root)
  await mkdir(join(home, 'data'))
  await copyFile(people, join(home, 'data', 'satchel.db'))
  if (settings !== undefined) execFileSync(BUN, ['test/e2e/settings.ts', join(home, 'data', 'satchel.db'), JSON.stringify(settings)])
  const base = behind === 'nothing' ? '' : BASE
  let server = launch({ home, root, base, options, port: 0 })
  let proxy: ChildProcess | null = null
  try {
    const direct = new URL(await addressOf(server))
    const kind = { strips: behind === 'nginx that strips', refuses: behind === 'nginx that refuses' }
    const front = behind === 'nothing' ? null : await startProxy({ home, base, to: direct.host, ...kind })
    proxy = front?.process ?? null
    await walk({
      url: `${front?.origin ?? direct.origin}${base}`,
      base,
      root,
      write: (path, content) => put(join(root, path), content),
      kill: () => ended(server),
      async start() {
        server = launch({ home, root, base, options, port: Number(direct.port) })
        await addressOf(server)
      },
    })
  } finally {
    if (proxy !== null) await ended(proxy)
    await ended(server)
    await rm(home, { recursive: true, force: true })
  }
}

interface Launch {
  home: string
  root: string
  base: string
  options: readonly string[]
  port: number
}

function launch({ home, root, base, options, port }: Launch): ChildProcess {
  const args = ['src/server/main.ts', '--root', root, '--data', join(home, 'data'), '--port', String(port), '--baseURL', base, ...options]
  return spawn(BUN, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The server prints its address once it listens. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /http:\/\/[\w.:[\]]+/.exec(printed)?.[0]
      if (address !== undefined) resolve(address)
    })
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened:\n${printed}`)))
  })
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  await new Promise((resolve) => {
    server.once('exit', resolve)
    server.kill('SIGKILL')
  })
}

async function put(path: string, content: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}
