#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackages } from './lib/debian.mjs'
import { HOME, install, isInstalled, repairRuntime, RUNTIME } from './lib/packages.mjs'
import { countsOfBun, countsOfPlaywright } from './lib/counts.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { listenForSilence } from './lib/silence.mjs'

/**
 * `npm test`: installs what checks need, runs every one of them whatever becomes of the others, and closes with `N passed, N failed`.
 * A check counts as one, a test runner as many as its tests. Plain Node without packages, because it runs before there are any.
 */
const RESULTS = join(HOME, 'test-results')
const WALKS = join(RESULTS, 'e2e.json')
const PROJECTS = ['src/shared', 'src/client', 'src/server', 'src/web', 'test', 'test/e2e']
/** Everything that has SQL of its own or counts on it, once more on the other database. */
const STORES = ['users', 'people', 'sessions', 'settings', 'uploads', 'metrics', 'favourites', 'journal', 'outside', 'dav'].map(
  (area) => `src/server/${area}`,
)
const TRASH = ['trash', 'trash-attacks', 'trash-links', 'trash-purge', 'trash-recovery']
const VERSIONS = ['versions', 'versions-attacks', 'versions-recovery']
const HOT = 'test/hot-queries.test.ts'
const TOKENS = ['tokens', 'token-ends', 'token-attacks']
const HISTORY = ['outside-changes', 'webhooks', 'quotas', 'directories']
const DAV = ['dav', 'dav-locks', 'dav-credentials', 'proven-credentials']
const OVER_HTTP = ['people', 'explain', 'share-limits', 'link-secrets', 'audit', ...TRASH, ...VERSIONS, ...TOKENS, ...HISTORY, ...DAV].map(
  (area) => `test/contract/${area}.test.ts`,
)
/**
 * The unit tests run in two processes beside each other, which take parts until none is left, so that neither waits for the other whatever the
 * parts take. Plain processes, because a worker of the runtime's own `--parallel` may miss the end of a program it started (oven-sh/bun#43697), and
 * many tests start one. No more than two at a time, for some tests measure what is no more than a second.
 */
const PROCESSES = [1, 2]
/** Each loads the server once more, in about a second. */
const PARTS = 10
/** What each file took once, in milliseconds, so that the parts are about equal. Every run leaves its own in `test-results/durations.json`. */
const DURATIONS = 'test/durations.json'
const NEW_DURATIONS = join(RESULTS, 'durations.json')
/** Two minutes of what `npm run test:api` does in thirty; the same requests each time, so that a failure is one of the change. */
const API = ['--minutes', '2', '--workers', '1', '--seed', '1']
/** Of one test: for what hangs, and not for what a busy or slow machine takes longer over. */
const PATIENT = '--timeout=300000'
/** A step that says nothing for so long hangs, and has failed. Its length in all has no limit. The quietest step is silent for half a minute. */
const SILENT_MS = 15 * 60_000
/** Between the end of a program and the end of its output. */
const LAST_WORDS_MS = 2000
/** Of what failed, at the very end. */
const LINES_OF_A_FAILURE = 30

const total = { passed: 0, failed: 0 }
/** What failed, to be said once more where everybody looks first. */
const failures = []

await step('packages of Debian', () => passIf(installDebianPackages()))
await step('packages of npm', () => {
  if (!isInstalled({ checks: true })) install({ checks: true })
  repairRuntime()
  return passIf(true)
})
/** Those that no process has taken yet. */
const parts = Array.from({ length: PARTS }, (_, index) => index + 1)
// What takes one processor for minutes, beside what takes all for seconds.
const [isThere] = await Promise.all([buildAndCheck(), ...PROCESSES.map(testParts)])
keepDurations()
await step('walks in the browser', async ({ run }) => {
  if (!isThere) return passIf(false)
  prepareResults(WALKS)
  const ended = await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--pass-with-no-tests'])
  return counted(countsOfPlaywright(textOf(WALKS)), ended)
})

for (const words of failures) console.log(`\n!! ${words}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

/** @returns whether there is a built web */
async function buildAndCheck() {
  const isBuilt = await aside('build', ({ node }) => node('scripts/build.mjs'))
  if (isBuilt) await aside('size of the web', ({ node }) => node('scripts/check-size.mjs'))
  await aside('format', ({ node }) => node('node_modules/oxfmt/bin/oxfmt', '--check'))
  await aside('lint', ({ node }) => node('node_modules/oxlint/bin/oxlint', '--type-aware'))
  for (const project of PROJECTS) {
    await aside(`types of ${project}`, ({ node }) => node('node_modules/typescript/bin/tsc', '-p', project))
  }
  await aside('messages', async ({ run }) => passIf(await run(RUNTIME, ['scripts/check-messages.ts'])))
  await aside('the stores on PostgreSQL', testStores)
  // Last, so that it takes a processor that is free, and only one: the unit tests have most of the time of this branch.
  await aside('the API against its document', async ({ run }) => passIf(await run(RUNTIME, ['tools/test-api.ts', ...API])))
  return isBuilt
}

async function testParts() {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) await testPart(part)
}

function testPart(part) {
  const measured = durationsOf(part)
  prepareResults(measured)
  // The first file of durations is the one that is written.
  const slice = [`--shard=${part}/${PARTS}`, `--timings=${measured}`, `--timings=${DURATIONS}`, '--update-timings']
  return aside(`unit tests, part ${part} of ${PARTS}`, ({ run }) => test(run, `unit-${part}`, slice))
}

function durationsOf(part) {
  return join(RESULTS, `durations-${part}.json`)
}

/** What all parts measured, as one file to replace `DURATIONS` by. */
function keepDurations() {
  const files = {}
  for (let part = 1; part <= PARTS; part += 1) {
    const text = textOf(durationsOf(part))
    // A part that crashed has written none.
    if (text !== null) Object.assign(files, JSON.parse(text).files)
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(NEW_DURATIONS, `${JSON.stringify({ version: 1, files: sorted }, null, 2)}\n`)
}

async function testStores({ run }) {
  const postgres = await startPostgres()
  try {
    return await test(run, 'postgres', [...STORES, HOT, ...OVER_HTTP], { TEST_POSTGRES: postgres.url })
  } finally {
    postgres.stop()
  }
}

async function test(run, name, args, env) {
  const results = join(RESULTS, `${name}.xml`)
  prepareResults(results)
  const ended = await run(RUNTIME, ['test', PATIENT, '--reporter=junit', `--reporter-outfile=${results}`, ...args], env)
  return counted(countsOfBun(textOf(results)), ended)
}

/** Runs one step and adds up; whatever is thrown is a failure. @returns whether nothing failed */
async function step(name, work, show = (text) => process.stdout.write(text)) {
  show(`\n== ${name}\n`)
  const start = performance.now()
  const said = []
  const result = await guarded(work, (text) => {
    said.push(text)
    show(text)
  })
  const { passed, failed } = result
  const inWords = result.failures ?? (failed > 0 ? [said.join('')] : [])
  failures.push(...inWords.map((words) => `${name}: ${shortened(words)}`))
  total.passed += passed
  total.failed += failed
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  show(`-- ${name}: ${failed === 0 ? 'passed' : 'FAILED'} (${passed} passed, ${failed} failed, ${seconds} s)\n`)
  return failed === 0
}

function shortened(words) {
  const lines = words.trim().split('\n')
  const left = lines.length - LINES_OF_A_FAILURE
  return left <= 0 ? lines.join('\n') : [lines[0], `… ${left} lines …`, ...lines.slice(left + 1)].join('\n')
}

/** The same for a step beside others: what it says is shown at its end. */
async function aside(name, work) {
  const said = []
  const isFine = await step(name, work, (text) => said.push(text))
  process.stdout.write(said.join(''))
  return isFine
}

/** What a step gets: programs whose words are part of its own. */
function tools(show) {
  const run = (command, args, more) => runShowing(show, command, args, more)
  return { run, node: async (script, ...args) => passIf(await run(process.execPath, [join(HOME, script), ...args])) }
}

async function guarded(work, show) {
  try {
    return await work(tools(show))
  } catch (error) {
    show(`${error.message}\n`)
    return passIf(false)
  }
}

/** A runner that crashed, or failed for no test, has failed once more than it counted. */
function counted(counts, ended) {
  if (counts === null) return passIf(false)
  return ended || counts.failed > 0 ? counts : { passed: counts.passed, failed: 1 }
}

function passIf(fine) {
  return fine ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** @returns whether the program ended well, once it has said everything */
function runShowing(show, command, args, more = {}) {
  const program = spawn(command, args, {
    cwd: HOME,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const silence = listenForSilence(SILENT_MS, () => {
    show(`said nothing for ${SILENT_MS / 60_000} minutes\n`)
    program.kill('SIGKILL')
  })
  const hear = (text) => {
    silence.heard()
    show(text)
  }
  for (const stream of [program.stdout, program.stderr]) stream.setEncoding('utf8').on('data', hear)
  program.once('exit', silence.stop)
  return new Promise((resolve) => {
    program.on('error', (error) => {
      show(`${error.message}\n`)
      resolve(false)
    })
    program.on('close', (status, signal) => {
      if (signal !== null) show(`ended by ${signal}\n`)
      resolve(status === 0)
    })
    // What it left running may hold its output open.
    program.on('exit', () =>
      setTimeout(() => [program.stdout, program.stderr].forEach((stream) => stream.destroy()), LAST_WORDS_MS).unref(),
    )
  })
}

function prepareResults(file) {
  mkdirSync(RESULTS, { recursive: true })
  rmSync(file, { force: true })
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
