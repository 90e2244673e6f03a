import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../shared/file-path.ts'
import { pathsSharedBy } from './shared-paths.ts'

describe('U11: shared entries have a badge', () => {
  const links = [
    { userID: 1, path: '/trip/' },
    { userID: 1, path: '/trip/a.jpg' },
    { userID: 2, path: '/trip/b.jpg' },
  ]

  it('folders and files with a link of the user', () => {
    expect([...pathsSharedBy(1, links)]).toEqual([parseFilePath('/trip'), parseFilePath('/trip/a.jpg')])
  })

  it('ignores the links of other users, which administrators also see', () => {
    expect([...pathsSharedBy(3, links)]).toEqual([])
    expect([...pathsSharedBy(null, links)]).toEqual([])
  })
})
