import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PASSWORD, startProgram, type Program } from './program.ts'

/** A computer with the real client: a folder that it keeps in sync with the program. */
export interface Computer {
  readonly folder: string
  /** Runs the client once. @returns what it ended with, and what it said */
  sync(): Promise<{ code: number; text: string }>
  /** Runs the client, and kills it after so many milliseconds. @returns whether it was still at work */
  syncKilled(afterMs: number): Promise<boolean>
}

/** Free a moment ago: a client remembers a server by its address. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}

/** @param home of the client: what it remembers is in the folder itself, its settings are here */
export async function newComputer(
  url: () => string,
  { password = PASSWORD }: { password?: string } = {},
): Promise<Computer & AsyncDisposable> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-computer-'))
  const folder = join(home, 'files')
  await mkdir(folder)
  const start = () =>
    Bun.spawn(
      ['nextcloudcmd', '--non-interactive', '--user', 'admin', '--password', password, '-h', '--max-sync-retries', '1', folder, url()],
      {
        env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, QT_QPA_PLATFORM: 'offscreen' },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
  return {
    folder,
    async sync() {
      const child = start()
      const [out, problems, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
      return { code, text: out + problems }
    },
    async syncKilled(afterMs) {
      const child = start()
      const told = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      await Promise.race([child.exited, Bun.sleep(afterMs)])
      const wasAtWork = child.exitCode === null
      child.kill('SIGKILL')
      await Promise.all([child.exited, told])
      return wasAtWork
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

/** The program at an address that it keeps when it is killed and started again, and computers that sync with it. */
export interface SyncedServer extends AsyncDisposable {
  /** The folder that it serves. */
  readonly root: string
  program(): Program
  computer(): Promise<Computer>
  restart(): Promise<void>
}

export async function startSyncedServer({ args = [] }: { args?: readonly string[] } = {}): Promise<SyncedServer> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-sync-'))
  const port = await freePort()
  const start = (token?: string): Promise<Program> =>
    startProgram(home, { args: ['--port', String(port), ...args], ...(token !== undefined && { token }) })
  let program = await start()
  const computers: (Computer & AsyncDisposable)[] = []
  return {
    root: join(home, 'root'),
    program: () => program,
    async computer() {
      const computer = await newComputer(() => `http://127.0.0.1:${port}`)
      computers.push(computer)
      return computer
    },
    async restart() {
      await program.kill()
      program = await start(program.token)
    },
    async [Symbol.asyncDispose]() {
      for (const computer of computers) await computer[Symbol.asyncDispose]()
      await program.kill()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Syncs until there is nothing left to do, as the desktop client does by itself. */
export async function synced(computer: Computer, { tries = 4 } = {}): Promise<void> {
  for (let count = 1; ; count++) {
    const { code, text } = await computer.sync()
    if (code === 0) return
    if (count === tries) throw new Error(text.slice(-3000))
  }
}

/** So many small files, ten in a folder, or as many as said. */
export async function plant(folder: string, count: number, name: string, { folders = 10 } = {}): Promise<void> {
  for (let n = 0; n < count; n++) {
    const path = join(folder, name, String(n % folders), `${n}.txt`)
    if (n < folders) await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${name} ${n}`)
  }
}

/** Paths with their texts; without what the client and the server keep for themselves. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/^\.(sync_|satchel\/|nextcloudsync|owncloudsync)/.test(path))
  return Object.fromEntries(
    await Promise.all(files.toSorted().map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
  )
}

/** What the client has set aside on one computer because both sides changed the same file. */
export function isConflictCopy(path: string): boolean {
  return /\(conflicted copy [^)]*\)/.test(path)
}
