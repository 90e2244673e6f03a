import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { HOME, RUNTIME_COMMAND } from './lib/packages.mjs'
import { serverMain } from './lib/server.mjs'
import { STAMP, WEB } from './lib/web.mjs'

/** `npm run build`: the web by Vite, then compressed copies beside every file that gains by it; and the server. */
const COMPRESSED = new Set(['.css', '.js', '.json', '.svg', '.txt', '.wasm', '.webmanifest'])
const SMALLEST_BYTES = 1024

const started = new Date()
rmSync(STAMP, { force: true })
const vite = spawnSync(process.execPath, [join(HOME, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
  cwd: HOME,
  stdio: 'inherit',
})
if (vite.status !== 0) process.exit(vite.status ?? 1)
writeApiDocument()
await compressAll()
mkdirSync(join(HOME, 'dist'), { recursive: true })
// As old as the sources that went in: what is saved meanwhile is newer.
writeFileSync(STAMP, `${started.toISOString()}\n`)
utimesSync(STAMP, started, started)
serverMain()

/** `/api/openapi.json`, from the contract. */
function writeApiDocument() {
  const [runtime, ...options] = RUNTIME_COMMAND
  const { status, stdout } = spawnSync(runtime, [...options, join(HOME, 'scripts/print-openapi.ts'), '--compact'], {
    cwd: HOME,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 16 * 1024 * 1024,
  })
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(join(WEB, 'api'), { recursive: true })
  writeFileSync(join(WEB, 'api/openapi.json'), stdout)
}

async function compressAll() {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => COMPRESSED.has(extname(name)))
  await Promise.all(files.map((name) => compress(join(WEB, name))))
}

async function compress(file) {
  const content = readFileSync(file)
  if (content.length < SMALLEST_BYTES) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(content, { params }), promisify(gzip)(content, { level: 9 })])
  if (br.length < content.length) await writeFile(`${file}.br`, br)
  if (gz.length < content.length) await writeFile(`${file}.gz`, gz)
}
