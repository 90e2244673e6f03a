import { describe, expect, it } from 'bun:test'
import { type FileType, ROW_FOLDER, ROW_TYPES } from '../../shared/contract/resources.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import { createListing, type Listing } from './listing.ts'
import { mediaOf, mediaFile, neighboursOf } from './neighbours.ts'

describe('the neighbours of a preview', () => {
  it('skip other files', () => {
    expect(named('a.jpg')).toEqual({ previous: undefined, next: 'c.mp4', at: 1, count: 2 })
    expect(named('c.mp4')).toEqual({ previous: 'a.jpg', next: undefined, at: 2, count: 2 })
  })

  it('exist for a file that is not media, but not for one that is gone', () => {
    expect(named('d.zip')).toEqual({ previous: 'c.mp4', next: undefined, at: 0, count: 2 })
    expect(named('gone')).toEqual({ previous: undefined, next: undefined, at: 0, count: 0 })
  })

  it('follow the displayed order', () => {
    const turned = folder([0, 4, 3, 2, 1])
    expect(neighboursOf(turned, 'c.mp4').next?.name).toBe('a.jpg')
  })
})

it('lists the media of a folder by position', () => {
  expect([...mediaOf(folder([0, 1, 2, 3, 4]))]).toEqual([1, 3])
  expect([...mediaOf(folder([0, 4, 3, 2, 1]))]).toEqual([2, 4])
})

it('knows media as listed in the folder, and nothing else', () => {
  const all = folder([0, 1, 2, 3, 4])
  expect(mediaFile(all, parseFilePath('/c.mp4'))).toMatchObject({ kind: 'file', file: { name: 'c.mp4', type: 'video', extension: '.mp4' } })
  for (const other of ['/b.txt', '/gone.png']) expect(mediaFile(all, parseFilePath(other))).toBeNull()
})

function named(current: string) {
  const { previous, next, at, count } = neighboursOf(folder([0, 1, 2, 3, 4]), current)
  return { previous: previous?.name, next: next?.name, at, count }
}

function folder(order: number[]): Listing {
  const files: [string, FileType][] = [
    ['a.jpg', 'image'],
    ['b.txt', 'text'],
    ['c.mp4', 'video'],
    ['d.zip', 'blob'],
  ]
  const content = {
    path: parseFilePath('/x'),
    modified: 0,
    sorting: { by: 'name', asc: false } as const,
    names: ['sub', ...files.map(([name]) => name)],
    sizes: [0, 1, 1, 1, 1],
    modifieds: [0, 0, 0, 0, 0],
    types: [ROW_FOLDER, ...files.map(([, type]) => ROW_TYPES.findIndex((one) => one === type))],
  }
  return createListing(content, Uint32Array.from(order))
}
