import { expect, it } from 'bun:test'
import { openRoot } from './open-folder.ts'
import { segmentsInSubvolume, subvolumesBelow } from './subvolumes.ts'

/** Btrfs itself: `test/contract/subvolumes.test.ts`. */
it('other file systems have no subvolumes, also if they know no such call', () => {
  for (const path of ['/proc', '/dev/shm']) {
    expect(subvolumesBelow(openRoot(path), [])).toEqual([])
    expect(segmentsInSubvolume(openRoot(path))).toEqual([])
  }
  expect(subvolumesBelow(openRoot('/dev/shm'), ['nothing', 'here'])).toEqual([])
})
