import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD } from './program.ts'

/** A computer with the real client: a folder that it keeps in sync with the program. */
export interface Computer {
  readonly folder: string
  /** Runs the client once. @returns what it ended with, and what it said */
  sync(): Promise<{ code: number; text: string }>
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
  await Bun.write(join(folder, '.keep-me-out'), '')
  await rm(join(folder, '.keep-me-out'))
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
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}
