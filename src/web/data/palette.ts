import type { LucideIcon } from 'lucide-react'
import type { Listing } from './listing.ts'

/** Something that a screen can do now. */
export interface Deed {
  readonly id: string
  readonly text: string
  readonly icon: LucideIcon
  /** As shown, for example `Ctrl C`. */
  readonly keys: string | undefined
  readonly danger: boolean
  readonly run: () => void
}

/** What a folder on show has for the palette. */
export interface PaletteSource {
  readonly listing: Listing
  /** What is selected, in a few words; null where nothing is. */
  readonly selected: string | null
  readonly ofSelection: readonly Deed[]
  readonly ofFolder: readonly Deed[]
}

/** As on the keyboard. */
export const PALETTE_KEYS: readonly string[] = ['Mod', 'K']

let offered: (() => PaletteSource) | null = null

/** A screen says what it has while it is on show; it is asked when the palette opens. @returns takes it back; call it from an effect */
export function offerToPalette(source: () => PaletteSource): () => void {
  offered = source
  return () => {
    if (offered === source) offered = null
  }
}

export function paletteSource(): PaletteSource | null {
  return offered?.() ?? null
}
