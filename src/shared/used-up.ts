import type { Share } from './contract/shares.ts'

/** All downloads were used, or a drop box is full: for visitors such a link has ended, until its owner allows more. */
export function isUsedUp({
  rights,
  maxDownloads,
  downloads,
  drop,
  received,
}: Pick<Share, 'rights' | 'maxDownloads' | 'downloads' | 'drop' | 'received'>): boolean {
  if (rights !== 'drop') return isReached(maxDownloads, downloads)
  return isReached(drop.maxFiles, received.files) || isReached(drop.maxBytes, received.bytes)
}

function isReached(most: number, taken: number): boolean {
  return most !== 0 && taken >= most
}
