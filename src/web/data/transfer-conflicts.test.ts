import { describe, expect, it } from 'bun:test'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'
import { findTransferConflicts, isIntoItself, planTransfers } from './transfer-conflicts.ts'
import { createListing } from './listing.ts'

const A = parseFilePath('/from/a.txt')
const B = parseFilePath('/from/b.txt')
const INTO = parseFilePath('/into')

describe('transferring entries into a folder', () => {
  it('conflicts with entries of the same name', () => {
    expect(findTransferConflicts([A, B], folderWith(INTO, ['b.txt', 'c.txt']), null).map(({ from }) => from)).toEqual([B])
  })

  it('has no conflicts in their own folder: they get another name', () => {
    const home = parseFilePath('/from')
    expect(findTransferConflicts([A], folderWith(home, ['a.txt']), null)).toEqual([])
    expect(planTransfers([A], home, new Map())).toEqual([{ from: A, to: A, override: false, rename: true }])
  })

  it('applies the answer to each conflict', () => {
    const answers = new Map<FilePath, 'replace' | 'skip'>([
      [A, 'replace'],
      [B, 'skip'],
    ])
    expect(planTransfers([A, B], INTO, answers)).toEqual([{ from: A, to: parseFilePath('/into/a.txt'), override: true, rename: false }])
  })

  it('meets a whole long folder in one pass, not in one for each name', () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `a rather long name of a picture ${n}.jpg`)
    const sources = names.map((name) => parseFilePath(`/from/${name}`))
    expect(findTransferConflicts(sources, folderWith(INTO, names), null)).toHaveLength(names.length)
  })

  it('is refused into itself', () => {
    expect(isIntoItself([parseFilePath('/into')], parseFilePath('/into/deep'))).toBe(true)
    expect(isIntoItself([parseFilePath('/into')], parseFilePath('/into-not'))).toBe(false)
  })
})

function folderWith(path: FilePath, names: string[]) {
  const zeros = names.map(() => 0)
  const content = { path, modified: 0, sorting: { by: 'name' as const, asc: false }, names, sizes: zeros, modifieds: zeros, types: zeros }
  return createListing(content, Uint32Array.from(names.keys()))
}
