import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run test:s3 [-- FILE…]`: the tests of the S3 storage, against versitygw on a folder of this machine. It is built once by Go (1.25 or newer),
 * from the Go module proxy, which takes some minutes.
 */
const VERSION = 'v1.8.0'
const PORT = 7480
const ACCESS = 'test'
const SECRET = 'a secret of the tests'
const STARTING_MS = 20_000

const home = join(tmpdir(), `satchel-versitygw-${VERSION}`)
const program = join(home, 'versitygw')
if (!existsSync(program)) build()

const folder = mkdtempSync(join(tmpdir(), 'satchel-versitygw-'))
mkdirSync(join(folder, 'bucket'))
const listening = ['--port', `127.0.0.1:${PORT}`, '--access', ACCESS, '--secret', SECRET]
const server = Bun.spawn([program, ...listening, 'posix', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
try {
  await untilItListens()
  const files = process.argv.slice(2)
  const tests = Bun.spawn([process.execPath, 'test', '--timeout=300000', ...(files.length > 0 ? files : ['src/server/storage/s3'])], {
    env: { ...process.env, TEST_S3_ENDPOINT: `http://127.0.0.1:${PORT}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.exitCode = await tests.exited
} finally {
  server.kill()
  await server.exited
  rmSync(folder, { recursive: true, force: true })
}

function build(): void {
  mkdirSync(home, { recursive: true })
  const { exitCode } = Bun.spawnSync(['go', 'install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
    env: { ...process.env, GOBIN: home, GOFLAGS: '-modcacherw' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode === 0) return
  console.error(`versitygw ${VERSION} could not be built: it needs Go (https://go.dev) and the Go module proxy`)
  process.exit(1)
}

async function untilItListens(): Promise<void> {
  for (const end = performance.now() + STARTING_MS; performance.now() < end; await Bun.sleep(50)) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = connect(PORT, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    const isThere = await promise
    socket.destroy()
    if (isThere) return
  }
  throw new Error('versitygw did not start')
}
