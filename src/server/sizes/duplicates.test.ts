import { describe, expect, it } from 'bun:test'
import type { DuplicatesLine } from '../../shared/contract/sizes.ts'
import { type FilePath, parseFilePath as at } from '../../shared/file-path.ts'
import { deny, driveOn, plant, type Who } from '../drive/samples.suite.ts'
import type { Drive } from '../drive/drive.ts'
import { createMemoryIndex } from '../index/test-memory-index.ts'
import { NO_INDEX, type TreeIndex } from '../index/tree-index.ts'
import { write } from '../storage/test-samples.ts'
import type { Storage } from '../storage/storage.ts'
import { DUPLICATE_LIMITS, duplicatesBelow, type DuplicatesTask } from './duplicates.ts'

const LONG = 'x'.repeat(50_000)
/** Beginning and end are alike, and the length. */
const LIKE_LONG = `${'x'.repeat(25_000)}y${'x'.repeat(24_999)}`

const TREE = {
  '/a/long': LONG,
  '/b/long': LONG,
  '/b/like long': LIKE_LONG,
  '/b/secret/long': LONG,
  '/b/.hidden': LONG,
  '/a/short': 'short',
  '/b/short': 'short',
  '/a/other': 'other',
  '/b/alone': 'of a size of its own',
  '/a/empty': '',
  '/b/empty': '',
  '/b/link': '→ ../a/long',
}

describe('duplicates', () => {
  it('are equal byte for byte, not only in size, beginning and end; largest first', async () => {
    expect(await groups({})).toEqual([
      ['/a/long', '/b/.hidden', '/b/long', '/b/secret/long'],
      ['/a/short', '/b/short'],
    ])
  })

  it('include only files and paths that the viewer may see', async () => {
    expect(await groups({ hideDotfiles: true })).toContainEqual(['/a/long', '/b/long', '/b/secret/long'])
    expect(await groups({ rules: [deny('/b/secret')], hideDotfiles: true })).toContainEqual(['/a/long', '/b/long'])
    expect(await groups({ scope: '/b', rules: [deny('/secret'), deny('/long')] })).toEqual([])
  })

  it('are no longer searched when the viewer may no longer read the files', async () => {
    const storage = await plant(TREE)
    const allowed = [driveOn(storage), null]
    expect(await lines(storage, {}, { drive: async () => allowed.shift() ?? null })).toEqual([
      { compared: 0, of: 8 },
      {
        size: LONG.length,
        paths: [at('/a/long'), at('/b/.hidden'), at('/b/long'), at('/b/secret/long')],
        modified: Array.from({ length: 4 }, () => expect.any(Number)),
      },
      { compared: 5, of: 8 },
    ])
  })

  it('are compared by their current content', async () => {
    const storage = await plant(TREE)
    const index = await indexOf(storage)
    await storage.remove(at('/a/short'))
    await storage.remove(at('/b/long'))
    await write(storage, at('/b/long'), 'x')
    expect(await groups({}, { storage, index })).toEqual([['/a/long', '/b/.hidden', '/b/secret/long']])
  })

  it('require the download right', async () => {
    const storage = await plant(TREE)
    await expect(lines(storage, { may: { download: false } })).rejects.toMatchObject({ code: 'download-refused' })
  })

  it('are searched up to a limit of files and time, largest first, and the limit is reported', async () => {
    const storage = await plant(TREE)
    const few = await lines(storage, {}, { limits: { ...LIMITS, files: 5 } })
    expect(few.at(-1)).toEqual({ end: true, cut: 'files' })
    expect(pathsIn(few)).toEqual([['/a/long', '/b/.hidden', '/b/long', '/b/secret/long']])
    const late = (): Promise<Drive> => new Promise((resolve) => setTimeout(() => resolve(driveOn(storage)), 10))
    expect(await lines(storage, {}, { limits: { ...LIMITS, ms: 0 }, drive: late })).toEqual([
      { compared: 0, of: 8 },
      { end: true, cut: 'time' },
    ])
  })

  it('skip files below a size, including empty ones', async () => {
    expect(await groups({}, { limits: { ...LIMITS, leastBytes: 6 } })).toHaveLength(1)
    expect(DUPLICATE_LIMITS.leastBytes).toBeGreaterThan(0)
  })

  it('are unknown if the folder is not indexed', async () => {
    expect(await lines(await plant(TREE), {}, {}, NO_INDEX)).toEqual([{ end: true, cut: 'unknown' }])
  })

  it('are no longer searched when aborted', async () => {
    const storage = await plant(TREE)
    await expect(lines(storage, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

const LIMITS = { ...DUPLICATE_LIMITS, leastBytes: 1 }

async function groups(who: Who, { storage, index, ...task }: Partial<DuplicatesTask> & { storage?: Storage; index?: TreeIndex } = {}) {
  return pathsIn(await lines(storage ?? (await plant(TREE)), who, task, index))
}

async function lines(storage: Storage, who: Who, task: Partial<DuplicatesTask> = {}, index?: TreeIndex): Promise<DuplicatesLine[]> {
  const drive: Drive = driveOn(storage, who)
  const { signal } = new AbortController()
  const subtree = await drive.subtree(at('/'))
  const found: DuplicatesLine[] = []
  const all = { subtree, drive: async () => drive, signal, limits: LIMITS, ...task }
  for await (const line of duplicatesBelow(index ?? (await indexOf(storage)), all)) found.push(line)
  return found
}

function pathsIn(found: readonly DuplicatesLine[]): string[][] {
  return found.flatMap((line) => ('paths' in line ? [line.paths.map((path: string): FilePath => at(path))] : []))
}

async function indexOf(storage: Storage): Promise<TreeIndex> {
  const index = createMemoryIndex(storage)
  await index.read()
  return index
}
