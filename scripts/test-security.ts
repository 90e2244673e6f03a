import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Attack } from './security/attack.ts'
import { ATTACKS, namesOf } from './security/known.ts'
import { isNamed, patternOf, type Title, titlesOfTests } from './security/titles.ts'
import { type Outcome, outcomesOfBun, outcomesOfPlaywright, tableOf } from './security/outcomes.ts'

/**
 * `npm run test:security [-- ID…]`: every test that is named after an attack, those that take long too, or the tests of some attacks alone.
 * Ends with a table; the exit code says whether all passed.
 */
const HOME = join(import.meta.dir, '..')
/** Of one test, on a machine that does other things too. */
const LONGEST_MS = 300_000
const asked = process.argv.slice(2)
const attacks = asked.length === 0 ? ATTACKS : asked.map(attackCalled)
const titles = titlesOfTests().filter((title) => attacks.some((attack) => isNamed(title, attack)))
const pattern = attacks.map(patternOf).join('|')
const files = [...new Set(titles.flatMap(runnersOf))]

const results = mkdtempSync(join(tmpdir(), 'satchel-security-'))
const outcomes = [
  ...runBun(files.filter((file) => !file.endsWith('.spec.ts'))),
  ...runWalks(files.filter((file) => file.endsWith('.spec.ts'))),
]
rmSync(results, { recursive: true })

const { text, fine } = tableOf(attacks, outcomes)
console.log(`\n${text}`)
process.exitCode = fine ? 0 : 1

function attackCalled(name: string): Attack {
  const found = ATTACKS.find((attack) => namesOf(attack).includes(name))
  if (found === undefined) {
    console.error(`No attack is called ${name}; docs/security.md has them all.`)
    process.exit(2)
  }
  return found
}

/** A suite runs in the tests that give it something to run on. */
function runnersOf({ file }: Title): string[] {
  if (!file.includes('.suite.')) return [file]
  const tests = [...new Bun.Glob('src/**/*.test.ts').scanSync(HOME)]
  return tests.filter((test) => readFileSync(join(HOME, test), 'utf8').includes(`/${basename(file)}'`))
}

function runBun(tests: readonly string[]): Outcome[] {
  if (tests.length === 0) return []
  const report = join(results, 'bun.xml')
  const how = ['-t', pattern, `--timeout=${LONGEST_MS}`, '--reporter=junit', `--reporter-outfile=${report}`]
  // Harnesses that go on for as long as one lets them take their time here.
  run([process.execPath, 'test', ...how, ...tests.map((file) => `./${file}`)], { LONG_TESTS: '1' })
  return outcomesOfBun(readFileSync(report, 'utf8'))
}

function runWalks(specs: readonly string[]): Outcome[] {
  if (specs.length === 0) return []
  run(['node', 'scripts/build.mjs'])
  const report = join(results, 'walks.json')
  run(['node', 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', '-g', pattern, ...specs], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return outcomesOfPlaywright(readFileSync(report, 'utf8'))
}

function run(command: string[], env: Record<string, string> = {}): void {
  Bun.spawnSync(command, { cwd: HOME, env: { ...process.env, ...env }, stdout: 'inherit', stderr: 'inherit' })
}
