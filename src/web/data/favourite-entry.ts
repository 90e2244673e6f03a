import type { Favourite } from '../../shared/contract/favourites.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** A favourite with its path parsed. */
export interface FavouriteEntry extends Omit<Favourite, 'path'> {
  readonly path: FilePath
}

export interface Favourites {
  /** In the user's order. */
  readonly favourites: readonly FavouriteEntry[]
  readonly keepsRecent: boolean
}

/** Query key. */
export const FAVOURITES_KEY = ['places'] as const
