import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApi } from '../scripts/openapi/document.ts'
import { serverCommand } from '../scripts/lib/server.mjs'

/**
 * `npm run test:api -- [--minutes N] [--seed N] [--workers N] [--paths REGEX]`: Schemathesis (PyPI, installed once) sends what the OpenAPI document allows, and what it forbids, to a server
 * of its own, and compares the answers with the document. Fails if an answer is a server error, has a shape, type or status that the document does not name,
 * if a request is accepted that the document forbids, or a call that needs a session works without one.
 */
const VERSION = '4.32.5'
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
]
/** They end the session, or the account, with which everything else is asked. */
const LEFT_OUT = '^/api/(logout|sessions|login|signup|proof|factors|with-me)|^/api/users/\\{id\\}$'
/**
 * 507 is the answer of a full quota, 503 of a busy server; 413 may come before a long body was looked at. Addresses that match another template too (`recursive` may be a folder, `links` the id of a
 * provider) answer to its methods. Checks that the command line names could not be switched off here.
 */
const configuration = (paths: readonly string[]): string => `
[checks]
enabled = false
${CHECKS.map((check) => `${check}.enabled = true`).join('\n')}
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503, 507]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
${paths
  .filter((path) => paths.some((other) => other !== path && isOverlapping(path, other)))
  .map(
    (path) => `
[[operations]]
include-path = '${path}'
checks.unsupported_method.enabled = false
checks.allow_header_conformance.enabled = false
`,
  )
  .join('')}`
const PASSWORD = 'a long password of the tests'
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string' },
    workers: { type: 'string', default: '2' },
    paths: { type: 'string' },
  },
})

const home = join(tmpdir(), `satchel-schemathesis-${VERSION}`)
const program = join(home, 'bin/st')
if (!existsSync(program)) {
  install(['python3', '-m', 'venv', home])
  install([join(home, 'bin/pip'), 'install', '--quiet', '--retries', '2', '--timeout', '30', `schemathesis==${VERSION}`])
}

const folder = mkdtempSync(join(tmpdir(), 'satchel-api-'))
const document = join(folder, 'openapi.json')
const root = join(folder, 'files')
mkdirSync(join(root, 'folder'), { recursive: true })
writeFileSync(join(root, 'text.txt'), 'text\n')
writeFileSync(join(folder, 'password'), PASSWORD)
const described = await openApi()
writeFileSync(join(folder, 'schemathesis.toml'), configuration(Object.keys(described.paths)))
writeFileSync(document, JSON.stringify(described))
const listening = ['--root', root, '--database', join(folder, 'satchel.db'), '--address', '127.0.0.1', '--port', '0']
const server = Bun.spawn([...serverCommand(), ...listening, '--username', 'admin', '--password-file', join(folder, 'password')], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await address()
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
  const options = `--phases coverage,fuzzing --continue-on-failure --workers ${values.workers} --no-color --warnings off`.split(' ')
  // Says how much its generator throws away, and nothing about the server.
  options.push('--suppress-health-check=filter_too_much')
  const addressed = ['--url', url, '--header', `X-Auth: ${token}`, '--header', 'Accept: application/json', '--exclude-path-regex', LEFT_OUT]
  const chosen = values.paths === undefined ? [] : ['--include-path-regex', values.paths]
  const limits = [
    '--max-time',
    String(Number(values.minutes) * 60),
    ...(values.seed === undefined ? [] : ['--seed', values.seed]),
    ...chosen,
  ]
  process.exitCode = Bun.spawnSync([program, 'run', document, ...options, ...addressed, ...limits], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  }).exitCode
} finally {
  server.kill()
  await server.exited
  rmSync(folder, { recursive: true, force: true })
}

/** Of the server, when it listens; what it prints later is not read. */
async function address(): Promise<string> {
  let said = ''
  for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`the server did not start: ${said}`)
}

/** Whether one address can match both templates; `{path}` stands for any number of segments. */
function isOverlapping(one: string, other: string): boolean {
  const [first, second] = [one.split('/'), other.split('/')]
  for (const [index, segment] of first.entries()) {
    const beside = second[index]
    if (segment === '{path}' || beside === '{path}') return true
    if (beside === undefined) return false
    if (segment !== beside && !segment.startsWith('{') && !beside.startsWith('{')) return false
  }
  return first.length === second.length
}

function install(command: string[]): void {
  const { exitCode } = Bun.spawnSync(command, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode === 0) return
  console.error(`Schemathesis ${VERSION} could not be installed from PyPI: ${command.join(' ')} failed`)
  process.exit(1)
}
