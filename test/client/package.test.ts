import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { makeClientPackage } from '../../scripts/release/client-package.ts'
import { HOME } from '../../src/server/entries/entries.ts'
import { startDroppingProxy } from './dropping-proxy.ts'
import { startClientServer } from './server.ts'

// Compilers, npm and servers, on a machine that may be busy.
setDefaultTimeout(300_000)

const MIB = 1024 * 1024
const COMPILER = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2022',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  strict: true,
  exactOptionalPropertyTypes: false,
  skipLibCheck: false,
  noEmit: true,
  allowJs: true,
  types: ['node'],
  typeRoots: [join(HOME, 'node_modules/@types')],
}

const work = mkdtempSync(join(tmpdir(), 'satchel-client-'))
const consumer = join(work, 'consumer')
const installed = join(consumer, 'node_modules/satchel-client')

beforeAll(async () => {
  const name = await makeClientPackage(work)
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', version: '1.0.0', type: 'module' }))
  const { status, stderr } = run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(work, name)])
  if (status !== 0) throw new Error(stderr)
  copyFileSync(join(import.meta.dir, 'use-package.mjs'), join(consumer, 'use.mjs'))
})
afterAll(() => rmSync(work, { recursive: true }))

describe('the package satchel-client', () => {
  it('is small, depends on nothing, and says nothing about the machine that made it', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    const module = readFileSync(join(installed, 'index.js'), 'utf8')
    expect([Bun.gzipSync(module).length < 10_000, module.includes(HOME)]).toEqual([true, false])
    expect(statSync(join(installed, 'types/client/satchel.d.ts')).size).toBeLessThan(200_000)
  })

  it('has types that a program of its own compiles with, and that are those of the contract', () => {
    const contract = JSON.stringify(join(HOME, 'src/client/satchel.ts'))
    write('wrong.ts', [
      "import { connect } from 'satchel-client'",
      "const satchel = connect({ address: '' })",
      '// @ts-expect-error: the path is missing',
      'void satchel.resources.get({ params: {} })',
      '// @ts-expect-error: there is no such action',
      "void satchel.resources.transfer({ params: { path: '/a' }, query: { action: 'fly', destination: '/b' } })",
      '// @ts-expect-error: there is no such call',
      'void satchel.resources.list({})',
      '// @ts-expect-error: hits have no size',
      "satchel.search.run({ params: { path: '/' } }).then(([hit]) => hit?.size)",
    ])
    write('contract.ts', [
      "import type { Satchel } from 'satchel-client'",
      `import type { Satchel as Contract } from ${contract}`,
      // A number that the server reads from text: its schema takes anything.
      "type Exact = Omit<Contract, 'unpack'> & { unpack: Omit<Contract['unpack'], 'entry'> }",
      'export const asContract = (satchel: Satchel): Exact => satchel',
    ])
    const blocks = Array.from(readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/```ts\n([^]*?)```/g), ([, block = '']) => block)
    expect(blocks.length).toBe(7)
    blocks.forEach((block, i) => write(`readme-${i}.ts`, [block]))
    const files = ['use.mjs', 'wrong.ts', 'contract.ts', ...blocks.map((_, i) => `readme-${i}.ts`)]
    const options = { ...COMPILER, checkJs: true, allowImportingTsExtensions: true }
    write('tsconfig.json', [JSON.stringify({ compilerOptions: options, files })])
    expect(run(process.execPath, [join(HOME, 'node_modules/typescript/bin/tsc'), '-p', '.']).stdout).toBe('')
  })

  for (const [runtime, command] of [
    ['Node', 'node'],
    ['Bun', process.execPath],
  ] as const)
    it(`uploads 20 MB over a line that drops, lists, downloads, watches, shares and deletes in ${runtime}`, async () => {
      await using server = await startClientServer()
      // The upload is cut twice, and the download once.
      const proxy = await startDroppingProxy(server.url, [7 * MIB, 5 * MIB, 12 * MIB])
      try {
        const child = Bun.spawn([command, 'use.mjs', server.url, proxy.url, server.token], {
          cwd: consumer,
          stdout: 'pipe',
          stderr: 'pipe',
        })
        const [out, complaints] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
        expect([complaints, proxy.cut()]).toEqual(['', 3])
        expect(JSON.parse(out)).toEqual({
          events: ['ready', 'changed'],
          progress: [0, 20 * MIB],
          listed: [['a film.mkv', 20 * MIB, expect.stringMatching(/^2020-09-13T12:26:40/)]],
          isSame: true,
          shared: 'a film.mkv',
          replaced: 3,
          failures: ['already-exists /a film.mkv', 'not-found', 'offline', 'sign-in-needed'],
        })
      } finally {
        proxy.close()
      }
    })
})

function write(name: string, lines: readonly string[]): void {
  writeFileSync(join(consumer, name), lines.join('\n'))
}

function run(command: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(command, args, { cwd: consumer, encoding: 'utf8' })
}
