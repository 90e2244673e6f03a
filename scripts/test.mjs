#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackages } from './lib/debian.mjs'
import { HOME, install, isInstalled, repairRuntime, RUNTIME } from './lib/packages.mjs'
import { countsOfBun, countsOfPlaywright } from './lib/counts.mjs'
import { startPostgres } from './lib/postgres.mjs'

/**
 * `npm test`: installs what checks need, runs every one of them whatever becomes of the others, and closes with `N passed, N failed`.
 * A check counts as one, a test runner as many as its tests. Plain Node without packages, because it runs before there are any.
 */
const RESULTS = join(HOME, 'test-results')
const UNIT = join(RESULTS, 'unit.xml')
const ON_POSTGRES = join(RESULTS, 'postgres.xml')
const WALKS = join(RESULTS, 'e2e.json')
/** Everything that has SQL of its own or counts on it, once more on the other database. */
const STORES = ['users', 'sessions', 'settings', 'uploads', 'metrics', 'places'].map((area) => `src/server/${area}`)
const OVER_HTTP = ['share-limits', 'audit'].map((area) => `test/contract/${area}.test.ts`)
/** A step that hangs is a step that failed. */
const LONGEST_MS = 20 * 60_000

const total = { passed: 0, failed: 0 }

step('packages of Debian', () => passIf(installDebianPackages()))
step('packages of npm', () => {
  if (!isInstalled({ checks: true })) install({ checks: true })
  repairRuntime()
  return passIf(true)
})
step('format', () => node('node_modules/oxfmt/bin/oxfmt', '--check'))
step('lint', () => node('node_modules/oxlint/bin/oxlint', '--type-aware'))
for (const project of ['src/shared', 'src/server', 'src/web', 'test', 'test/e2e']) {
  step(`types of ${project}`, () => node('node_modules/typescript/bin/tsc', '-p', project))
}
step('messages', () => passIf(run(RUNTIME, ['scripts/check-messages.ts'])))
step('unit tests', () => {
  prepareResults(UNIT)
  const ended = run(RUNTIME, ['test', '--reporter=junit', `--reporter-outfile=${UNIT}`])
  return counted(countsOfBun(textOf(UNIT)), ended)
})
const postgres = await startPostgres().catch((error) => error)
step('the stores on PostgreSQL', () => {
  if (postgres instanceof Error) throw postgres
  prepareResults(ON_POSTGRES)
  const reporter = ['--reporter=junit', `--reporter-outfile=${ON_POSTGRES}`]
  try {
    const ended = run(RUNTIME, ['test', '--timeout=20000', ...reporter, ...STORES, ...OVER_HTTP], { TEST_POSTGRES: postgres.url })
    return counted(countsOfBun(textOf(ON_POSTGRES)), ended)
  } finally {
    postgres.stop()
  }
})
const isBuilt = step('build', () => node('scripts/build.mjs'))
if (isBuilt) step('size of the web', () => node('scripts/check-size.mjs'))
step('walks in the browser', () => {
  if (!isBuilt) return passIf(false)
  prepareResults(WALKS)
  const ended = run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--pass-with-no-tests'])
  return counted(countsOfPlaywright(textOf(WALKS)), ended)
})

console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/** Runs one step and adds up; whatever is thrown is a failure. True when nothing failed. */
function step(name, work) {
  console.log(`\n== ${name}`)
  const start = performance.now()
  const { passed, failed } = guarded(work)
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`-- ${name}: ${failed === 0 ? 'passed' : 'FAILED'} (${passed} passed, ${failed} failed, ${seconds} s)`)
  return failed === 0
}

function guarded(work) {
  try {
    return work()
  } catch (error) {
    console.error(error.message)
    return passIf(false)
  }
}

/** A runner that crashed, or failed for no test, has failed once more than it counted. */
function counted(counts, ended) {
  if (counts === null) return passIf(false)
  return ended || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}

function passIf(fine) {
  return fine ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function node(script, ...args) {
  return passIf(run(process.execPath, [join(HOME, script), ...args]))
}

function run(command, args, more = {}) {
  const env = { ...process.env, ...more }
  const { status, signal, error } = spawnSync(command, args, {
    cwd: HOME,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: LONGEST_MS,
  })
  if (error !== undefined) console.error(error.message)
  else if (signal !== null) console.error(`ended by ${signal}`)
  return status === 0
}

function prepareResults(file) {
  mkdirSync(RESULTS, { recursive: true })
  rmSync(file, { force: true })
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
