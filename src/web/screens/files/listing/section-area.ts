import { type Section, rowsOf } from './sections.ts'

/** A rectangle in content coordinates: pixels from the top and from the inline start. */
export interface Area {
  readonly top: number
  readonly bottom: number
  readonly start: number
  readonly end: number
}

/** A range of positions, from `from` to before `to`. */
export interface Run {
  readonly from: number
  readonly to: number
}

/** The entries that a rectangle touches, whether rendered or not. @param room width of the content and gap between entries, in pixels */
export function runsIn(sections: readonly Section[], area: Area, room: { width: number; gap: number }): Run[] {
  return sections.flatMap((section) => {
    const [firstRow, endRow] = touched(section.rowHeight, room.gap, {
      from: area.top - section.top,
      to: area.bottom - section.top,
      count: rowsOf(section),
    })
    const pitch = (room.width + room.gap) / section.columns
    const [firstColumn, endColumn] = touched(pitch, room.gap, { from: area.start, to: area.end, count: section.columns })
    if (firstRow >= endRow || firstColumn >= endColumn) return []
    const end = section.from + section.count
    const at = (row: number, column: number) => Math.min(end, section.from + row * section.columns + column)
    // Complete rows form one range.
    if (firstColumn === 0 && endColumn === section.columns) return [{ from: at(firstRow, 0), to: at(endRow, 0) }]
    return Array.from({ length: endRow - firstRow }, (_, row) => ({
      from: at(firstRow + row, firstColumn),
      to: at(firstRow + row, endColumn),
    })).filter(({ from, to }) => from < to)
  })
}

/** The range of cells, each `pitch` apart and `gap` shorter, that an interval touches. */
function touched(pitch: number, gap: number, { from, to, count }: { from: number; to: number; count: number }): [number, number] {
  const first = Math.floor((from + gap) / pitch)
  return [Math.max(0, first), Math.min(count, Math.ceil(to / pitch))]
}
