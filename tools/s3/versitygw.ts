import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An S3 service on a folder of this machine, with the bucket `bucket`. */
export interface Versitygw {
  readonly endpoint: string
  readonly access: string
  readonly secret: string
  stop(): Promise<void>
}

const VERSION = 'v1.8.0'
const ACCESS = 'test'
const SECRET = 'a secret of the tests'
const STARTING_MS = 20_000

/** Starts versitygw, which Go (1.25 or newer) builds once from the Go module proxy; that takes some minutes. */
export async function startVersitygw(): Promise<Versitygw> {
  const program = build()
  const folder = mkdtempSync(join(tmpdir(), 'satchel-versitygw-'))
  mkdirSync(join(folder, 'bucket'))
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const listening = ['--port', endpoint.slice('http://'.length), '--access', ACCESS, '--secret', SECRET]
  const server = Bun.spawn([program, ...listening, 'posix', folder], { stdio: ['ignore', 'ignore', 'ignore'] })
  await untilItAnswers(endpoint)
  return {
    endpoint,
    access: ACCESS,
    secret: SECRET,
    async stop() {
      server.kill()
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function build(): string {
  const home = join(tmpdir(), `satchel-versitygw-${VERSION}`)
  const program = join(home, 'versitygw')
  if (existsSync(program)) return program
  mkdirSync(home, { recursive: true })
  const { exitCode } = Bun.spawnSync(['go', 'install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
    env: { ...process.env, GOBIN: home },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) throw new Error(`versitygw ${VERSION} could not be built: it needs Go (https://go.dev) and the Go module proxy`)
  return program
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
  })
  return await promise
}

async function untilItAnswers(endpoint: string): Promise<void> {
  for (const end = performance.now() + STARTING_MS; performance.now() < end; await Bun.sleep(50)) {
    // Any answer, also that nobody may ask without a signature.
    const isThere = await fetch(endpoint).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  throw new Error('versitygw did not start')
}
