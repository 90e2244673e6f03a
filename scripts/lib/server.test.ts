import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { buildFolder } from './server.mjs'

let home = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-sources-'))
  mkdirSync(join(home, 'src/shared'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', 'scripts/build-server.ts', 'scripts/lib/server.mjs']) write(file, '{}')
  write('src/server/main.ts', 'one()')
  write('src/server/users/a.ts', 'two()')
})

afterEach(() => rmSync(home, { recursive: true }))

describe('the build of the server', () => {
  it('is another one when a source was changed, added, renamed or taken away, even with the time it had', () => {
    const seen = [buildFolder(home)]
    const look = () => seen.push(buildFolder(home))
    write('src/server/main.ts', 'ONE()')
    utimesSync(join(home, 'src/server/main.ts'), 0, 0)
    look()
    write('src/shared/b.ts', '')
    look()
    renameSync(join(home, 'src/server/users/a.ts'), join(home, 'src/server/users/c.ts'))
    look()
    rmSync(join(home, 'src/server/users/c.ts'))
    look()
    write('package-lock.json', '{ "other": true }')
    look()
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('is the same after a test was changed, or a source and back', () => {
    const before = buildFolder(home)
    write('src/server/main.test.ts', 'it()')
    write('src/server/main.ts', 'ONE()')
    write('src/server/main.ts', 'one()')
    expect(buildFolder(home)).toBe(before)
  })
})

function write(file: string, text: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true })
  writeFileSync(join(home, file), text)
}
