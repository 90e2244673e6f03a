import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SUMS_FILE } from '../../../scripts/release/output.ts'
import { HOME } from '../../../src/server/entries/entries.ts'
import { TOOLS } from './made.ts'

setDefaultTimeout(120_000)

const RELEASE = join(HOME, 'release')

describe('a compose file', () => {
  const problems = (...args: string[]) => {
    const { status, stderr } = spawnSync(join(TOOLS, 'bin/cmd'), args, { cwd: RELEASE, env: {}, encoding: 'utf8' })
    return [status, stderr]
  }

  it('conforms to the Compose Specification', () => {
    expect(problems('compose.yaml')).toEqual([0, ''])
    // The tool takes no variables.
    expect(problems('-no-interpolation', 'compose.postgres.yaml')).toEqual([0, ''])
  })

  it('with PostgreSQL asks for a password', () => {
    expect(problems('compose.postgres.yaml')).toEqual([1, expect.stringContaining('set POSTGRES_PASSWORD')])
  })
})

it('every list of components is valid CycloneDX 1.6', () => {
  const lists = readdirSync(RELEASE).filter((name) => name.endsWith('.cdx.json'))
  expect(lists.length).toBeGreaterThan(1)
  const check = `
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
for name in sys.argv[1:]:
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(name).read())
    if error: print(name, error)
`
  const { stdout, stderr } = spawnSync(join(TOOLS, 'python/bin/python'), ['-c', check, ...lists.map((name) => join(RELEASE, name))], {
    encoding: 'utf8',
  })
  expect(stdout + stderr).toBe('')
})

it('the sums are those of all files', () => {
  const unsigned = [SUMS_FILE, `${SUMS_FILE}.sig`, 'allowed_signers']
  const files = readdirSync(RELEASE, { withFileTypes: true }).filter((entry) => entry.isFile() && !unsigned.includes(entry.name))
  const sums = readFileSync(join(RELEASE, SUMS_FILE), 'utf8')
  expect(sums.match(/(?<=  ).*/g)?.toSorted()).toEqual(files.map(({ name }) => name).toSorted())
  expect(spawnSync('sha256sum', ['--check', '--quiet', SUMS_FILE], { cwd: RELEASE }).status).toBe(0)
})
