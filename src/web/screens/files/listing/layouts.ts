import type { Section } from './sections.ts'

/** Input of the layout: available width and design tokens, in pixels. */
export interface LayoutMetrics {
  readonly width: number
  readonly row: number
  readonly tile: number
  /** Size of an icon. */
  readonly glyph: number
  readonly phone: boolean
  /** Text zoom factor. */
  readonly zoom: number
}

const CHIP = { min: 168, height: 56, gap: 12 }
const TILE_GAP = 12
/** Size of gallery tiles relative to mosaic tiles; thumbnails are sharp up to 256 px. */
const GALLERY = 1.25
/** Below a tile's thumbnail: two lines for the name and one for size and date. */
const CAPTION = 80
/** Aspect ratio of a tile's thumbnail, 4:3. */
const RATIO = 3 / 4
export const HEADING = 34
const BETWEEN = 14
/** Space below the last row, so that notices and the phone's New button do not cover it. */
export const FOOT = 84

export interface Counts {
  readonly folders: number
  readonly files: number
}

export function listSections({ folders, files }: Counts, { row }: LayoutMetrics): Section[] {
  return [{ top: 0, rowHeight: row, columns: 1, from: 0, count: folders + files }]
}

/** Folders as chips and files as tiles, each under a heading. On phones two chips or three tiles per row. */
export function mosaicSections(counts: Counts, metrics: LayoutMetrics): Section[] {
  const tiles = metrics.phone ? 3 : fit(metrics.width, metrics.tile, gapOf(metrics))
  return tiledSections(counts, metrics, { tiles, height: Math.round(tileWidth(metrics, tiles) * RATIO + CAPTION * metrics.zoom) })
}

/** Like the mosaic, with large square tiles. */
export function gallerySections(counts: Counts, metrics: LayoutMetrics): Section[] {
  const tiles = metrics.phone ? 2 : fit(metrics.width, metrics.tile * GALLERY, gapOf(metrics))
  return tiledSections(counts, metrics, { tiles, height: Math.round(tileWidth(metrics, tiles)) })
}

function tiledSections(
  { folders, files }: Counts,
  metrics: LayoutMetrics,
  { tiles, height }: { tiles: number; height: number },
): Section[] {
  const gap = gapOf(metrics)
  const chip = Math.round(CHIP.height * metrics.zoom)
  const chips = metrics.phone ? 2 : fit(metrics.width, CHIP.min, gap)
  const bands: Section[] = []
  if (folders > 0) bands.push({ top: HEADING, rowHeight: chip + gap, columns: chips, from: 0, count: folders })
  const above = bands[0] === undefined ? 0 : HEADING + Math.ceil(folders / chips) * (chip + gap) + BETWEEN
  if (files > 0) bands.push({ top: above + HEADING, rowHeight: height + gap, columns: tiles, from: folders, count: files })
  return bands
}

export function gapOf({ phone }: Pick<LayoutMetrics, 'phone'>): number {
  return phone ? 8 : TILE_GAP
}

function fit(width: number, min: number, gap: number): number {
  return Math.max(1, Math.floor((width + gap) / (min + gap)))
}

function tileWidth(metrics: LayoutMetrics, tiles: number): number {
  return (metrics.width - gapOf(metrics) * (tiles - 1)) / tiles
}
