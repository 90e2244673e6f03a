import { existsSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMINISTRATOR, KEYCLOAK } from '../test/keycloak/address.ts'

/**
 * Signs in through Keycloak in a browser, as a second, independent OpenID provider. Its distribution comes from Maven Central, once (170 MB).
 * Needs Maven, unzip and Java 17 or newer. `npm run test:providers -- [arguments of Playwright]`.
 */
const VERSION = '26.7.3'
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
const STARTS_WITHIN_MS = 600_000
const project = join(import.meta.dir, '..')
const home = join(tmpdir(), `satchel-keycloak-${VERSION}`)
const program = join(home, `keycloak-${VERSION}`, 'bin', 'kc.sh')

if (!existsSync(program)) {
  mkdirSync(home, { recursive: true })
  run(['mvn', '-q', 'dependency:get', `-Dartifact=${ARTIFACT}`, '-Dtransitive=false'], home)
  const folder = join(homedir(), '.m2/repository/org/keycloak/keycloak-quarkus-dist', VERSION)
  run(['unzip', '-q', join(folder, `keycloak-quarkus-dist-${VERSION}.zip`)], home)
}
const keycloak = Bun.spawn([program, 'start-dev', '--http-host=127.0.0.1', `--http-port=${new URL(KEYCLOAK).port}`], {
  cwd: home,
  env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: ADMINISTRATOR.username, KC_BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password },
  stdio: ['ignore', Bun.file(join(home, 'log')), Bun.file(join(home, 'log'))],
})
try {
  await started()
  const walks = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'test/keycloak', ...process.argv.slice(2)]
  process.exitCode = Bun.spawnSync(['node', ...walks], { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] }).exitCode
} finally {
  keycloak.kill()
  await keycloak.exited
}

async function started(): Promise<void> {
  const end = performance.now() + STARTS_WITHIN_MS
  while (performance.now() < end) {
    const answer = await fetch(`${KEYCLOAK}/realms/master`).catch(() => null)
    if (answer?.ok === true) return
    if (keycloak.exitCode !== null) break
    await Bun.sleep(500)
  }
  throw new Error(`Keycloak did not start; its log is ${join(home, 'log')}`)
}

function run(command: string[], cwd: string): void {
  const { exitCode } = Bun.spawnSync(command, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode !== 0) process.exit(exitCode)
}
