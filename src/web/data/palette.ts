import type { LucideIcon } from 'lucide-react'
import type { Listing } from './listing.ts'

/** A command of the current screen. */
export interface PaletteCommand {
  readonly id: string
  readonly text: string
  readonly icon: LucideIcon
  /** For display, for example `Ctrl C`. */
  readonly keys: string | undefined
  readonly danger: boolean
  readonly run: () => void
}

/** What the current folder contributes to the palette. */
export interface PaletteSource {
  readonly listing: Listing
  /** Description of the selection; null if nothing is selected. */
  readonly selected: string | null
  readonly selectionCommands: readonly PaletteCommand[]
  readonly folderCommands: readonly PaletteCommand[]
}

/** Key names. */
export const PALETTE_KEYS: readonly string[] = ['Mod', 'K']

let sources: (() => PaletteSource) | null = null

/** Registers the source of a screen, which is read when the palette opens. @returns unregisters it; call it from an effect */
export function registerPaletteSource(source: () => PaletteSource): () => void {
  sources = source
  return () => {
    if (sources === source) sources = null
  }
}

export function paletteSource(): PaletteSource | null {
  return sources?.() ?? null
}
