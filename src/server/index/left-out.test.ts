import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { parseQuery } from '../../shared/search-query.ts'
import { ROOT } from '../../shared/file-path.ts'
import { createMemoryBus } from '../bus/memory.ts'
import { createLocalIndex } from './local-index.ts'

it('snapshots below the root are neither indexed nor watched, also those that come later and those that were indexed before', async () => {
  const home = mkdtempSync(join(tmpdir(), 'satchel-left-out-'))
  const root = join(home, 'root')
  const write = (path: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  for (const path of ['found.txt', 'snaps/daily-1/found.txt', 'snaps/other/found.txt', 'deep/snaps/daily-1/found.txt']) write(path)
  const open = (leftOut: Parameters<typeof createLocalIndex>[0]['leftOut']) =>
    createLocalIndex({ root, file: join(home, 'tree'), bus: createMemoryBus(), log: () => undefined, leftOut })
  const found = async (index: ReturnType<typeof open>): Promise<string[]> => {
    await index.settled()
    const paths: string[] = []
    for await (const some of (await index.find(ROOT, parseQuery('found', new Date()), new AbortController().signal)) ?? [])
      paths.push(...some.map(({ path }) => path))
    return paths.toSorted()
  }
  const before = open(null)
  expect(await found(before)).toHaveLength(4)
  await before.stop()

  const index = open({ folder: ['snaps'], prefix: 'daily-', suffix: '' })
  const expected = ['/deep/snaps/daily-1/found.txt', '/found.txt', '/snaps/other/found.txt']
  expect(await found(index)).toEqual(expected)
  write('snaps/daily-2/found.txt')
  write('snaps/daily-1/later/found.txt')
  write('snaps/new/found.txt')
  expect(await found(index)).toEqual([...expected.slice(0, 2), '/snaps/new/found.txt', ...expected.slice(2)])
  await index.stop()
  rmSync(home, { recursive: true })
})
