import type { Entry } from '../drive/drive.ts'
import type { Share } from './store.ts'

/**
 * What a link remembers of its node: the identity, and of a file whose birth nobody knows (FUSE, some network disks) also when it was last
 * written. There the number of a file that was deleted is another's the next moment, and a newcomer would be taken for it
 * (GHSA-r6pg-pg54-rcr5); so that such a link ends also when the file is changed by others than us.
 */
export function objectOf({ kind, identity, modified }: Pick<Entry['stat'], 'kind' | 'identity' | 'modified'>): string {
  return kind === 'file' && identity.endsWith(UNKNOWN_BIRTH) ? `${identity}:${modified}` : identity
}

/** @param found what `objectOf` says of the node that is there; null for none */
export function isObjectOf({ identity }: Pick<Share, 'identity'>, found: string | null): boolean {
  return found !== null && identity.split(' ').some((known) => known === found || isSameElsewhere(known, found) || isStaged(known, found))
}

const UNKNOWN_BIRTH = ':0'

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
  return known.endsWith(UNKNOWN_BIRTH) && known.split(':').length === 3 && found.startsWith(`${known}:`)
}
