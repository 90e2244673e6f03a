import type { Band } from './bands.ts'

/** What a layout is worked out from: the width for entries and the tokens of the density, in pixels. */
export interface Room {
  readonly width: number
  readonly row: number
  readonly tile: number
  /** Side of a glyph. */
  readonly glyph: number
  readonly phone: boolean
  /** How much larger than usual somebody wants text. */
  readonly zoom: number
}

const CHIP = { min: 168, height: 56, gap: 12 }
const TILE_GAP = 12
/** A picture of the gallery for a tile of the mosaic; thumbnails are sharp up to 256 pixels. */
const GALLERY = 1.25
/** Below the picture of a tile: two lines of a name, and one for size and date. */
const CAPTION = 80
/** Picture of a tile: four to three. */
const RATIO = 3 / 4
export const HEADING = 34
const BETWEEN = 14
/** Below the last row: it comes out from under a notice, and on phones from under the button for what is new. */
export const FOOT = 84

export interface Counts {
  readonly folders: number
  readonly files: number
}

export function listBands({ folders, files }: Counts, { row }: Room): Band[] {
  return [{ top: 0, rowHeight: row, columns: 1, from: 0, count: folders + files }]
}

/** Folders as chips, files as tiles; each kind under a heading of its own. On phones two chips and three tiles in a row. */
export function mosaicBands(counts: Counts, room: Room): Band[] {
  const tiles = room.phone ? 3 : fit(room.width, room.tile, gapOf(room))
  return tiledBands(counts, room, { tiles, height: Math.round(tileWidth(room, tiles) * RATIO + CAPTION * room.zoom) })
}

/** As the mosaic, the files as large squares: a wall of pictures. */
export function galleryBands(counts: Counts, room: Room): Band[] {
  const tiles = room.phone ? 2 : fit(room.width, room.tile * GALLERY, gapOf(room))
  return tiledBands(counts, room, { tiles, height: Math.round(tileWidth(room, tiles)) })
}

function tiledBands({ folders, files }: Counts, room: Room, { tiles, height }: { tiles: number; height: number }): Band[] {
  const gap = gapOf(room)
  const chip = Math.round(CHIP.height * room.zoom)
  const chips = room.phone ? 2 : fit(room.width, CHIP.min, gap)
  const bands: Band[] = []
  if (folders > 0) bands.push({ top: HEADING, rowHeight: chip + gap, columns: chips, from: 0, count: folders })
  const above = bands[0] === undefined ? 0 : HEADING + Math.ceil(folders / chips) * (chip + gap) + BETWEEN
  if (files > 0) bands.push({ top: above + HEADING, rowHeight: height + gap, columns: tiles, from: folders, count: files })
  return bands
}

export function gapOf({ phone }: Pick<Room, 'phone'>): number {
  return phone ? 8 : TILE_GAP
}

function fit(width: number, min: number, gap: number): number {
  return Math.max(1, Math.floor((width + gap) / (min + gap)))
}

function tileWidth(room: Room, tiles: number): number {
  return (room.width - gapOf(room) * (tiles - 1)) / tiles
}
