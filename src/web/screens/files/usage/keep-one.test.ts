import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../../../shared/file-path.ts'
import type { DuplicateGroup, UsageItem } from '../../../data/usage.ts'
import { keptOf, spareOf } from './keep-one.ts'

describe('U15: one of each stays', () => {
  const files = [part('/photos/2024/a.jpg', 30), part('/a.jpg', 20), part('/copies/a copy.jpg', 10)]

  it('the oldest, the newest or the one with the shortest path', () => {
    expect(keptOf(files, 'oldest')?.path).toBe(parseFilePath('/copies/a copy.jpg'))
    expect(keptOf(files, 'newest')?.path).toBe(parseFilePath('/photos/2024/a.jpg'))
    expect(keptOf(files, 'shortest')?.path).toBe(parseFilePath('/a.jpg'))
  })

  it('and the same one each time where all are alike', () => {
    const alike = [part('/b', 1), part('/a', 1)]
    expect(keptOf(alike, 'oldest')?.path).toBe(parseFilePath('/a'))
    expect(keptOf(alike.toReversed(), 'oldest')?.path).toBe(parseFilePath('/a'))
  })

  it('all others go, and never the last of a group', () => {
    const groups: DuplicateGroup[] = [
      { id: '1', size: 5, files },
      { id: '2', size: 5, files: [part('/x', 1)] },
    ]
    const { parts, bytes } = spareOf(groups, 'shortest')
    expect(parts.map(({ path }) => String(path))).toEqual(['/photos/2024/a.jpg', '/copies/a copy.jpg'])
    expect(bytes).toBe(10)
  })
})

function part(path: string, modified: number): UsageItem {
  return { path: parseFilePath(path), name: path.slice(path.lastIndexOf('/') + 1), isDir: false, type: 'image', bytes: 5, modified }
}
