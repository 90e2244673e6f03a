import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { SANDBOXED, sandboxedProgram, SERVER, threadProgram } from './entries.ts'

const SOURCES = join(import.meta.dir, '..')
const code = new Map(
  [...new Bun.Glob('**/*.ts').scanSync(SOURCES)]
    .filter((file) => !/\.(test|suite|child)\.ts$|(^|\/)test-[a-z-]+\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(SOURCES, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')]),
)

describe('an entry point that is started by path', () => {
  it('is known to the build, for every thread and sandbox program', () => {
    const known = [...Object.values(SERVER), ...Object.values(SANDBOXED)].filter((file) => file !== SERVER.main)
    expect(filesWith(/^(answerRequests|runProgram)\(|^self\.onmessage\b/m)).toEqual(known.toSorted())
  })

  it('is found only by its name', () => {
    expect(filesWith(/\bnew Worker\(/)).toEqual(['threads/threads.ts', 'unpack/read-seven-zip.ts'])
    expect(filesWith(/\bprocess\.execPath\b/)).toEqual(['entries/runtime.ts', 'programs/start-program.ts'])
    expect(filesWith(/\bimport\.meta\.(?!main\b)|\b__dirname\b/)).toEqual(['archives/seven-zip.ts', 'config/file.ts', 'entries/entries.ts'])
    // By their names, among the packages.
    expect(code.get('archives/seven-zip.ts')).toContain("createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm')")
    expect(code.get('config/file.ts')).toContain("createRequire(import.meta.url)('yaml')")
  })

  it('exists in the sources', () => {
    const threads = (['compress-worker', 'seven-zip-worker'] as const).map((name) => threadProgram(name).pathname)
    const programs = (['render-program', 'unpack-program'] as const).map((name) => sandboxedProgram(name).file)
    expect([...threads, ...programs].filter((file) => !existsSync(file))).toEqual([])
  })
})

function filesWith(pattern: RegExp): string[] {
  return [...code].flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).toSorted()
}
