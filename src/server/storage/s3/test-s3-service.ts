import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Options } from './options.ts'
import { createS3Client } from './client.ts'
import { S3_LIMITS } from './options.ts'

/** moto's server, from PyPI, with what it needs to serve S3. */
const MOTO = '5.2.5'
const PACKAGES = [`moto[s3]==${MOTO}`, 'flask==3.1.3', 'flask-cors==6.0.5']
const MOST_SAID = 10_000

/** A service under test, with one bucket. */
export interface S3Service extends Pick<S3Options, 'endpoint' | 'region' | 'bucket' | 'credentials' | 'pathStyle'> {
  /** Names of files that it refuses. */
  readonly unstorable: readonly string[]
  /** Whether its keys are paths of a disk, so that some cannot be, or not beside others. */
  readonly isDisk: boolean
  stop(): Promise<void>
}

const COMMON = {
  region: 'us-east-1',
  bucket: 'bucket',
  credentials: { accessKeyId: 'test', secretAccessKey: 'a secret of the tests' },
  pathStyle: true,
} as const

/** The versitygw that TEST_S3_ENDPOINT names, with its bucket `bucket` (`npm run test:s3`); otherwise a new service of moto. */
export async function startS3Service(): Promise<S3Service> {
  const endpoint = process.env['TEST_S3_ENDPOINT']
  if (endpoint === undefined) return startMoto()
  // Its listings do not encode characters that XML cannot have.
  return { ...COMMON, endpoint, isDisk: true, unstorable: ['tab\tand\u0001and\u202erlo'], stop: async () => undefined }
}

/** moto's server, which is installed if it is missing. It checks no signatures. */
export async function startMoto(): Promise<S3Service> {
  const server = Bun.spawn([installMoto(), '-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const stop = async (): Promise<void> => {
    server.kill()
    await server.exited
  }
  const service = { ...COMMON, endpoint: await addressIn(server.stderr) }
  await createS3Client({ ...service, folder: '', server: '' }, S3_LIMITS).send({ method: 'PUT', key: '' })
  // Its router ends a line at the end of a line.
  return { ...service, isDisk: false, unstorable: ['new\nline'], stop }
}

/** The address that it prints; what it prints later, each request, is read and dropped. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  const read = async (): Promise<void> => {
    for await (const chunk of output) {
      if (said.length < MOST_SAID) said += new TextDecoder().decode(chunk)
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    }
    reject(new Error(`moto's server did not start: ${said}`))
  }
  void read()
  return await promise
}

/** Several tests may need it at the same time: one installs it, and the others wait. @returns its program */
function installMoto(): string {
  const home = join(tmpdir(), `satchel-moto-${MOTO}`)
  const program = join(home, 'bin/moto_server')
  const mark = join(home, 'installed')
  if (existsSync(mark)) return program
  const pip = `'${home}/bin/pip' install --quiet --retries 2 --timeout 30 ${PACKAGES.map((name) => `'${name}'`).join(' ')}`
  const script = `test -f '${mark}' || { python3 -m venv --clear '${home}' && ${pip} && touch '${mark}'; }`
  const { exitCode } = Bun.spawnSync(['flock', `${home}.lock`, 'sh', '-c', script], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode !== 0) throw new Error(`moto ${MOTO} could not be installed from PyPI (needs python3-venv): ${script}`)
  return program
}

/** A folder for tails, removed by `dispose`. */
export function temporaryFolder(): { folder: string; dispose: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-s3-'))
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}
