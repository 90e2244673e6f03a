import { ROW_FOLDER, ROW_TYPES } from '../../shared/contract/resources.ts'
import type { Listing } from './listing.ts'

const PICTURED = new Set(['image', 'video'].map((type) => ROW_TYPES.findIndex((one) => one === type)))

/** Whether a folder is best shown as an album: most of its files are pictures and films. Of a long one what is known of it so far decides. */
export function isAlbum({ types }: Pick<Listing, 'types'>): boolean {
  let files = 0
  let pictured = 0
  for (const type of types) {
    if ((type & ROW_FOLDER) !== 0) continue
    files += 1
    if (PICTURED.has(type & (ROW_FOLDER - 1))) pictured += 1
  }
  return pictured > files / 2
}
