import type { Favourite } from '../../shared/contract/favourites.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** A favourite as the web has it. */
export interface FavouriteEntry extends Omit<Favourite, 'path'> {
  readonly path: FilePath
}

export interface Favourites {
  /** In their owner's order. */
  readonly favourites: readonly FavouriteEntry[]
  readonly keepsRecent: boolean
}

/** Under which the page remembers them. */
export const FAVOURITES_KEY = ['places'] as const
