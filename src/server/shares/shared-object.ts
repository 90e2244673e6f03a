import { setTimeout as sleep } from 'node:timers/promises'
import type { FilePath } from '../../shared/file-path.ts'
import type { Drive, Entry } from '../drive/drive.ts'
import type { Share } from './store.ts'

/**
 * What a link remembers of its node: the identity; and where nobody knows times of birth (FUSE, some network disks) of a file also when it was last
 * written, of a folder the mark that it got when it was shared. There the number of a node that was deleted is another's the next moment, and a
 * newcomer would be taken for it (GHSA-r6pg-pg54-rcr5, A12); so that a link to a file there ends also when the file is changed by others than us.
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
 * The same of what is at a place. @param options.make whether a link is to be to it: then a folder that needs a mark and has none gets one, and the
 * promise waits until no newcomer can get the time of a file.
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
 * Such disks keep times in steps of up to two seconds (ext4 with nodes of 128 bytes one, FAT two), so that a newcomer of the same step would have the same time (A12).
 * @returns how long until the next step, in milliseconds
 */
function waitFor(modified: number): number {
  const age = Date.now() - modified
  return age > -TIME_STEP_MS && age < TIME_STEP_MS ? TIME_STEP_MS - Math.max(0, age) : 0
}

/** @param found what `objectOf` says of the node that is there; null for none */
export function isObjectOf({ identity }: Pick<Share, 'identity'>, found: string | null): boolean {
  return found !== null && identity.split(' ').some((known) => known === found || isSameElsewhere(known, found) || isStaged(known, found))
}

const UNKNOWN_BIRTH = ':0'
/** Two seconds, and what the clock of a disk is behind. */
const TIME_STEP_MS = 2100

/**
 * Device numbers are given out anew when disks are mounted (btrfs, ZFS, NFS, overlays) or found in another order, and links are to outlast that.
 * A number of a node and the nanosecond it was made in are enough; where nobody knows the latter, the device has to be the same.
 */
function isSameElsewhere(known: string, found: string): boolean {
  const [, inode, birth] = known.split(':')
  const [, foundInode, foundBirth] = found.split(':')
  return birth !== undefined && birth !== '0' && inode === foundInode && birth === foundBirth
}

/** What a save was about to put in place when the server was killed: it was not written yet. */
function isStaged(known: string, found: string): boolean {
  return known.endsWith(UNKNOWN_BIRTH) && known.split(':').length === 3 && found.startsWith(`${known}:`) && /:[\d.]+$/.test(found)
}
