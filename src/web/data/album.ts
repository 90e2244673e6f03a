import { ROW_FOLDER, ROW_TYPES } from '../../shared/contract/resources.ts'
import type { Listing } from './listing.ts'

const PICTURED = new Set(['image', 'video'].map((type) => ROW_TYPES.findIndex((one) => one === type)))

/** Whether to show a folder as an album: most of its files are images or videos. While a long folder is loading, its first rows decide. */
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
