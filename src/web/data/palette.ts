import type { LucideIcon } from 'lucide-react'
import type { Listing } from './listing.ts'

/** Something that a screen can do now. */
export interface PaletteCommand {
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
  readonly selectionCommands: readonly PaletteCommand[]
  readonly folderCommands: readonly PaletteCommand[]
}

/** As on the keyboard. */
export const PALETTE_KEYS: readonly string[] = ['Mod', 'K']

let sources: (() => PaletteSource) | null = null

/** A screen says what it has while it is on show; it is asked when the palette opens. @returns takes it back; call it from an effect */
export function registerPaletteSource(source: () => PaletteSource): () => void {
  sources = source
  return () => {
    if (sources === source) sources = null
  }
}

export function paletteSource(): PaletteSource | null {
  return sources?.() ?? null
}
