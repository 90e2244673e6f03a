/**
 * Whether properties that were set on a node belong to the one that is found at its path. Device numbers change when disks are mounted again; inode and
 * time of birth are enough. Where a disk knows no time of birth, or it is not known what they were set on, they belong to whatever is there.
 * @param bound one identity, or two while a file is being replaced; empty if unknown
 * @param found empty if unknown
 */
export function isBoundTo(bound: string, found: string): boolean {
  return bound === '' || !isTelling(found) || bound.split(' ').some((one) => !isTelling(one) || withoutDevice(one) === withoutDevice(found))
}

/** Whether they are of two disks, as far as the disks say: a node that was moved from one to the other is another one. */
export function isElsewhere(bound: string, found: string): boolean {
  return bound.split(':')[0] !== found.split(':')[0]
}

/** The time of birth is the last part. */
function isTelling(identity: string): boolean {
  return identity !== '' && !identity.endsWith(':0')
}

function withoutDevice(identity: string): string {
  return identity.slice(identity.indexOf(':') + 1)
}
