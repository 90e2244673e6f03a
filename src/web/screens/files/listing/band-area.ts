import { type Band, rowsOf } from './bands.ts'

/** A rectangle of the content, in pixels from its top and from the start of its lines. */
export interface Area {
  readonly top: number
  readonly bottom: number
  readonly start: number
  readonly end: number
}

/** Positions one after the other: `from`, but not `to`. */
export interface Run {
  readonly from: number
  readonly to: number
}

/**
 * The entries that an area touches, whether they are in the document or not.
 * @param room the width of the content, and the gap between entries, in pixels
 */
export function runsIn(bands: readonly Band[], area: Area, room: { width: number; gap: number }): Run[] {
  return bands.flatMap((band) => {
    const [firstRow, endRow] = touched(band.rowHeight, room.gap, {
      from: area.top - band.top,
      to: area.bottom - band.top,
      count: rowsOf(band),
    })
    const pitch = (room.width + room.gap) / band.columns
    const [firstColumn, endColumn] = touched(pitch, room.gap, { from: area.start, to: area.end, count: band.columns })
    if (firstRow >= endRow || firstColumn >= endColumn) return []
    const end = band.from + band.count
    const at = (row: number, column: number) => Math.min(end, band.from + row * band.columns + column)
    // Whole rows are one run, however many there are.
    if (firstColumn === 0 && endColumn === band.columns) return [{ from: at(firstRow, 0), to: at(endRow, 0) }]
    return Array.from({ length: endRow - firstRow }, (_, row) => ({
      from: at(firstRow + row, firstColumn),
      to: at(firstRow + row, endColumn),
    })).filter(({ from, to }) => from < to)
  })
}

/** Which of `count` places, each `pitch` from the last and `gap` short of the next, a stretch touches: the first, and the one after the last. */
function touched(pitch: number, gap: number, { from, to, count }: { from: number; to: number; count: number }): [number, number] {
  const first = Math.floor((from + gap) / pitch)
  return [Math.max(0, first), Math.min(count, Math.ceil(to / pitch))]
}
