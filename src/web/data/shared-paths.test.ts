import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../shared/file-path.ts'
import { pathsSharedBy } from './shared-paths.ts'

describe('U11: shared entries have a badge', () => {
  const links = [
    { userID: 1, path: '/trip/', broken: false },
    { userID: 1, path: '/trip/a.jpg', broken: false },
    { userID: 2, path: '/trip/b.jpg', broken: false },
  ]

  it('folders and files with a link of the user', () => {
    expect([...pathsSharedBy(1, links)]).toEqual([parseFilePath('/trip'), parseFilePath('/trip/a.jpg')])
  })

  it('not a new file at the path of a deleted one, whose link is broken', () => {
    expect([...pathsSharedBy(1, [{ userID: 1, path: '/trip/a.jpg', broken: true }])]).toEqual([])
  })

  it('ignores the links of other users, which administrators also see', () => {
    expect([...pathsSharedBy(3, links)]).toEqual([])
    expect([...pathsSharedBy(null, links)]).toEqual([])
  })
})
