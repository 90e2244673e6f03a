import { expect, it } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { HOME } from '../../src/server/entries/entries.ts'

it('the command of the npm package starts the program from any folder, also one with spaces, percent and accents', () => {
  const work = mkdtempSync(join(tmpdir(), 'satchel-npm-'))
  try {
    const folder = join(work, 'my 100%25 files é/node_modules/satchel')
    const runtime = join(folder, `node_modules/@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : process.arch}/bin/bun`)
    for (const path of [join(folder, 'bin'), join(folder, 'dist'), dirname(runtime)]) mkdirSync(path, { recursive: true })
    copyFileSync(join(HOME, 'packaging/npm/satchel.mjs'), join(folder, 'bin/satchel.mjs'))
    copyFileSync(join(HOME, 'scripts/lib/serve.mjs'), join(folder, 'bin/serve.mjs'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'bin/program.json'), JSON.stringify({ main: 'dist/main.js', options: [] }))
    writeFileSync(join(folder, 'dist/main.js'), 'console.log(process.argv.slice(2).join(" "))')
    symlinkSync(process.execPath, runtime)
    expect(execFileSync('node', [join(folder, 'bin/satchel.mjs'), '--root', 'a b'], { encoding: 'utf8' })).toBe('--root a b\n')
  } finally {
    rmSync(work, { recursive: true })
  }
})
