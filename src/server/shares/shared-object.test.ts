import { describe, expect, it } from 'bun:test'
import { ROOT } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import { isObjectOf, objectAt, objectOf } from './shared-object.ts'

describe('the node of a link', () => {
  it('is found by identity, also during a save', () => {
    expect(isObjectOf({ identity: '1:20:300' }, '1:20:300')).toBe(true)
    expect(isObjectOf({ identity: '1:20:300 1:21:400' }, '1:21:400')).toBe(true)
    expect(isObjectOf({ identity: '1:20:300' }, null)).toBe(false)
  })

  it('is found if its disk is mounted with another device number', () => {
    expect(isObjectOf({ identity: '46:20:300' }, '49:20:300')).toBe(true)
    expect(isObjectOf({ identity: '46:1:2 46:20:300' }, '49:20:300')).toBe(true)
  })

  it('is not a new node with the same inode, or one of another disk without birth times (GHSA-r6pg-pg54-rcr5)', () => {
    for (const found of ['46:20:301', '46:21:300', '49:21:300', 'memory:20'])
      expect(isObjectOf({ identity: '46:20:300' }, found)).toBe(false)
    expect(isObjectOf({ identity: '46:20:0' }, '49:20:0')).toBe(false)
    expect(isObjectOf({ identity: '46:20:0' }, '46:20:0')).toBe(true)
  })

  it('is not a new node if the disk has no birth times and reuses inodes (GHSA-r6pg-pg54-rcr5)', () => {
    const old = { kind: 'file', identity: '46:20:0', modified: 1000 } as const
    const share = { identity: objectOf(old) }
    expect(isObjectOf(share, objectOf(old))).toBe(true)
    expect(isObjectOf(share, objectOf({ ...old, modified: 3000 }))).toBe(false)
    // A save of ours is told beforehand, when nobody knows its time yet.
    expect(isObjectOf({ identity: `${share.identity} 46:21:0` }, objectOf({ ...old, identity: '46:21:0', modified: 3000 }))).toBe(true)
  })

  it('A12: is not a new folder if the disk has no birth times: it lacks the marker', () => {
    const folder = { kind: 'folder', identity: '46:20:0', modified: 1000 } as const
    const share = { identity: objectOf(folder, 'mAAAAAAAAAAAAAAAAAAAAAA') }
    expect(isObjectOf(share, objectOf({ ...folder, modified: 2000 }, 'mAAAAAAAAAAAAAAAAAAAAAA'))).toBe(true)
    for (const mark of [null, 'mBBBBBBBBBBBBBBBBBBBBBB']) expect(isObjectOf(share, objectOf(folder, mark))).toBe(false)
    // A link that never saw a mark does not take a marked folder for its own.
    expect(isObjectOf({ identity: '46:20:0' }, share.identity)).toBe(false)
  })

  it('A12: is given for a new file only after two seconds on a disk with coarse times', async () => {
    const modified = Date.now()
    const stat = { kind: 'file', identity: '46:20:0', modified }
    const systemDrive = { stat: () => Promise.resolve({ stat }) } as unknown as Pick<Drive, 'stat' | 'folderMark'>
    expect(await objectAt(systemDrive, ROOT, { make: true })).toBe(`46:20:0:${modified}`)
    expect(Date.now() - modified).toBeGreaterThan(2000)
  })

  it('depends on the node alone for folders, and if birth times are known', () => {
    expect(objectOf({ kind: 'folder', identity: '46:20:0', modified: 1 })).toBe('46:20:0')
    expect(objectOf({ kind: 'file', identity: '46:20:300', modified: 1 })).toBe('46:20:300')
  })
})
