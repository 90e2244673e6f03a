import type { Favourite } from '../../shared/contract/favourites.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** A favourite as the web has it. */
export interface Starred extends Omit<Favourite, 'path'> {
  readonly path: FilePath
}

export interface Places {
  /** In their owner's order. */
  readonly favourites: readonly Starred[]
  readonly keepsRecent: boolean
}

/** Under which the page remembers them. */
export const PLACES_KEY = ['places'] as const
