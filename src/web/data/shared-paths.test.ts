import { describe, expect, it } from 'bun:test'
import { parseFilePath } from '../../shared/file-path.ts'
import { pathsSharedBy, recipientsOf } from './shared-paths.ts'

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

describe('use-3: entries shared with people count as shared', () => {
  const ann = { kind: 'user', id: 5, name: 'ann' } as const
  const team = { kind: 'group', id: 1, name: 'Team' } as const
  const of = (path: string, who: typeof ann | typeof team, { owner = 1, broken = false } = {}) => ({
    path,
    who,
    broken,
    owner: { id: owner, name: '' },
  })

  it('with everybody they are shared with', () => {
    const shares = [of('/trip/', ann), of('/trip/', team), of('/a.txt', ann)]
    expect([...recipientsOf(1, shares)]).toEqual([
      [parseFilePath('/trip'), [ann, team]],
      [parseFilePath('/a.txt'), [ann]],
    ])
  })

  it('but not by others, nor if the share opens nothing', () => {
    expect([...recipientsOf(1, [of('/trip/', ann, { owner: 2 }), of('/a.txt', ann, { broken: true })])]).toEqual([])
    expect([...recipientsOf(null, [of('/trip/', ann)])]).toEqual([])
  })
})
