import { isAppError } from '../../shared/errors.ts'
import { within } from '../../shared/within.ts'
import type { Drive } from '../drive/drive.ts'
import { isObjectOf, objectAt } from './shared-object.ts'
import type { Share } from './store.ts'

const AT_ONCE = 16
/** A list of links does not wait longer for disks. */
const LONGEST_MS = 1000

/** Links whose node is gone or another one. If a disk does not answer in time or fails, a link counts as intact. */
export async function brokenAmong(shares: readonly Share[], systemDrive: Pick<Drive, 'stat' | 'folderMark'>): Promise<ReadonlySet<Share>> {
  const broken = new Set<Share>()
  const end = performance.now() + LONGEST_MS
  const left = shares.values()

  async function look(): Promise<void> {
    for (const share of left) {
      if (performance.now() >= end) return
      if (await isBroken(share, systemDrive)) broken.add(share)
    }
  }

  await within(Promise.all(Array.from({ length: AT_ONCE }, look)), LONGEST_MS)
  return broken
}

async function isBroken(share: Share, systemDrive: Pick<Drive, 'stat' | 'folderMark'>): Promise<boolean> {
  try {
    return !isObjectOf(share, await objectAt(systemDrive, share.place, { make: false }))
  } catch (error) {
    return isAppError(error, 'not-found')
  }
}
