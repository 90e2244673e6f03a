import { expect, it } from 'bun:test'
import { parseFilePath as at, ROOT } from '../../shared/file-path.ts'
import { ALL_RIGHTS } from '../access/permissions.ts'
import { compileRules } from '../access/rules.ts'
import { createMemoryStorage } from '../storage/test-memory-storage.ts'
import { openDrive } from './drive.ts'
import type { ListedEntry } from './entry.ts'

const ACCESS = { scope: ROOT, start: ROOT, may: ALL_RIGHTS, hideDotfiles: false }

it('walks folders of any length in order of names, filtered or not, with and without rules', async () => {
  const storage = createMemoryStorage()
  const names = Array.from({ length: 9000 }, (_, n) => `n${(n * 7919) % 9000}`)
  const { list } = storage
  storage.list = async (path, options) =>
    path === at('/many')
      ? { names, sizes: new Float64Array(9000), modified: new Float64Array(9000), modes: new Uint32Array(9000).fill(0o100644) }
      : list(path, options)
  await storage.makeFolder(at('/many'))
  for (const denied of [[], [{ regex: false, allow: false, path: '/many/n42', regexp: null }]]) {
    const drive = openDrive(storage, { ...ACCESS, rules: compileRules(denied, [], { hideDotfiles: false }) })
    const walked = async (options = {}) => (await Array.fromAsync(drive.walk(ROOT, options))).map(({ path }) => path as string)
    const sorted = names
      .filter((name) => denied.length === 0 || name !== 'n42')
      .toSorted()
      .map((name) => `/many/${name}`)
    expect(await walked()).toEqual(['/many', ...sorted])
    expect(await walked({ wants: ({ name }: ListedEntry) => name.endsWith('77') })).toEqual(sorted.filter((path) => path.endsWith('77')))
    expect(await walked({ enters: () => false })).toEqual(['/many'])
  }
})
