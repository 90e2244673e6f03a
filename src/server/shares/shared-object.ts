import { setTimeout as sleep } from 'node:timers/promises'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive } from '../drive/drive.ts'
import type { Entry } from '../drive/entry.ts'
import type { Share } from './store.ts'

/**
 * What a link stores about its node: the identity; and if times of birth are unknown (FUSE, some network disks), for a file also its mtime, and for a
 * folder the marker that it got when it was shared. On such disks the inode of a deleted node is reused at once, and another node would be taken for
 * it (GHSA-r6pg-pg54-rcr5, A12); so a link to a file there also ends when the file is changed by other programs.
 */
export function objectOf(
  { kind, identity, modified }: Pick<Entry['stat'], 'kind' | 'identity' | 'modified'>,
  mark: string | null = null,
): string {
  if (!identity.endsWith(UNKNOWN_BIRTH)) return identity
  if (kind === 'file') return `${identity}:${modified}`
  return mark === null ? identity : `${identity}:${mark}`
}

/**
 * The same for the node at a storage path.
 * @param options.make whether a link to it is being created: then a folder that needs a marker gets one, and the promise waits until no other file
 * can get the same mtime.
 */
export async function objectAt(
  systemDrive: Pick<Drive, 'stat' | 'folderMark'>,
  place: FilePath,
  { make }: { make: boolean },
): Promise<string> {
  const { stat } = await systemDrive.stat(place)
  if (!stat.identity.endsWith(UNKNOWN_BIRTH)) return stat.identity
  if (stat.kind === 'folder') return objectOf(stat, await systemDrive.folderMark(place, { make }))
  if (make) await sleep(waitFor(stat.modified))
  return objectOf(stat)
}

/**
 * Such disks store times in steps of up to two seconds (one for ext4 with 128-byte inodes, two for FAT), so another file of the same step would have
 * the same time (A12).
 * @returns milliseconds until the next step
 */
function waitFor(modified: number): number {
  const age = Date.now() - modified
  return age > -TIME_STEP_MS && age < TIME_STEP_MS ? TIME_STEP_MS - Math.max(0, age) : 0
}

/** @param found the result of `objectOf` for the existing node; null if there is none */
export function isObjectOf({ identity }: Pick<Share, 'identity'>, found: string | null): boolean {
  return found !== null && identity.split(' ').some((known) => known === found || isSameElsewhere(known, found) || isStaged(known, found))
}

const UNKNOWN_BIRTH = ':0'
/** Two seconds, and the delay of a disk's clock. */
const TIME_STEP_MS = 2100

/**
 * Device numbers change when disks are mounted again (btrfs, ZFS, NFS, overlays) or found in another order, and links should survive that. Inode and
 * time of birth in nanoseconds are enough; if the latter is unknown, the device must be the same.
 */
function isSameElsewhere(known: string, found: string): boolean {
  const [, inode, birth] = known.split(':')
  const [, foundInode, foundBirth] = found.split(':')
  return birth !== undefined && birth !== '0' && inode === foundInode && birth === foundBirth
}

/** The version that a save was about to publish when the server was killed: it was not published yet. */
function isStaged(known: string, found: string): boolean {
  return known.endsWith(UNKNOWN_BIRTH) && known.split(':').length === 3 && found.startsWith(`${known}:`) && /:[\d.]+$/.test(found)
}
