import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { version } from '../package.json'
import { HOME } from '../src/server/entries/entries.ts'
import { installDebianPackages } from './lib/debian.mjs'
import { NOT_OVER_HTTP } from './lib/not-over-http.ts'
import { RUNTIME } from './lib/packages.mjs'

/**
 * `npm run test:executable -- [--program FILE] contract|runtime|walks [further arguments of the test runner]`: the contract and walk suites against an
 * executable of the release.
 *
 * - `contract`: servers are started from the executable and asked over HTTP. Tests that need the server's own process are counted by what they need.
 * - `runtime`: the same tests in one process, which is the runtime in the executable.
 * - `walks`: the browser walks on servers that are started from the executable.
 */
const args = process.argv.slice(2)
const [, named] = args[0] === '--program' ? args.splice(0, 2) : []
const [suite = '', ...more] = args
const program = resolve(named ?? join(HOME, 'release', `satchel-${version}-linux-${process.arch}`))
if (!existsSync(program)) throw new Error(`there is no ${program}; npm run release -- linux-${process.arch} makes it`)
if (!installDebianPackages()) process.exit(1)
const TESTS = ['test', '--timeout=300000', ...(more.length > 0 ? more : ['test/contract'])]

switch (suite) {
  case 'contract': {
    process.exitCode = countContract(await linesOf(RUNTIME, TESTS, { TEST_PROGRAM: program }))
    break
  }
  case 'runtime': {
    process.exitCode = await statusOf(program, TESTS, { BUN_BE_BUN: '1' })
    break
  }
  case 'walks': {
    process.exitCode = await statusOf('node', ['node_modules/@playwright/test/cli.js', 'test', ...more], { TEST_PROGRAM: program })
    break
  }
  default: {
    throw new Error('name a suite: contract, runtime or walks')
  }
}

/** @returns the exit code */
function countContract(lines: readonly string[]): number {
  const needs = new Map<string, number>()
  const failed: string[] = []
  let passed = 0
  let need: string | null = null
  /** Of the preparations of a group, which are not done then; what cleans up after them fails as well. */
  let unprepared = false
  for (const line of lines) {
    // What follows says it again.
    if (/^\d+ tests? (failed|skipped):/.test(line)) break
    if (line.includes(NOT_OVER_HTTP)) need ??= line.slice(line.indexOf(NOT_OVER_HTTP) + NOT_OVER_HTTP.length).replace(/["'`].*/, '')
    const [, result, title = ''] = /^\((pass|fail)\) (.*)$/.exec(line) ?? []
    if (result === undefined) continue
    const isPreparation = title.includes('(unnamed)')
    if (result === 'pass') passed += 1
    else if (need === null && isPreparation && unprepared) unprepared = false
    else if (need === null) failed.push(title)
    else needs.set(need, (needs.get(need) ?? 0) + 1)
    unprepared ||= isPreparation && need !== null
    need = null
  }
  const inProcess = [...needs.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\n${passed} passed over HTTP, ${failed.length} failed, ${inProcess} need the server's own process:`)
  for (const [what, count] of [...needs].toSorted(([, a], [, b]) => b - a)) console.log(`  ${count} ${what}`)
  for (const title of failed) console.log(`failed: ${title}`)
  return failed.length === 0 && passed + inProcess > 0 ? 0 : 1
}

/** Shows what a program says. @returns its lines */
async function linesOf(command: string, words: readonly string[], env: Record<string, string>): Promise<string[]> {
  const child = spawn(command, words, { cwd: HOME, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'pipe'] })
  const lines: string[] = []
  for await (const line of createInterface(child.stderr)) {
    console.error(line)
    lines.push(line)
  }
  return lines
}

function statusOf(command: string, words: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(command, words, { cwd: HOME, env: { ...process.env, ...env }, stdio: 'inherit' })
  return new Promise((done, reject) => child.once('error', reject).once('exit', (code) => done(code ?? 1)))
}
