/** Entries in rows of equal height: the list has one section, a mosaic one for folders and one for files. */
export interface Section {
  /** Top of its first row, in pixels from the top of the content. */
  readonly top: number
  /** Row pitch, including the gap. */
  readonly rowHeight: number
  readonly columns: number
  /** Position of its first entry. */
  readonly from: number
  readonly count: number
}

/** A rendered row. */
export interface VisibleRow {
  readonly section: Section
  /** Index across all sections. */
  readonly row: number
  /** Pixels from the top of the content. */
  readonly top: number
  readonly from: number
  readonly count: number
}

export type Step = 'up' | 'down' | 'back' | 'forth' | 'page-up' | 'page-down' | 'first' | 'last'

export function rowsOf({ count, columns }: Section): number {
  return Math.ceil(count / columns)
}

export function rowCount(sections: readonly Section[]): number {
  return sections.reduce((sum, section) => sum + rowsOf(section), 0)
}

/** Total height in pixels. */
export function contentHeight(sections: readonly Section[]): number {
  const last = sections.at(-1)
  return last === undefined ? 0 : last.top + rowsOf(last) * last.rowHeight
}

/** The rows that a vertical interval touches, plus `overscan` on both sides. @param atMost maximum number of entries, for the first paint */
export function rowsBetween(
  sections: readonly Section[],
  stretch: { top: number; bottom: number; overscan: number; atMost?: number },
): VisibleRow[] {
  const shown: VisibleRow[] = []
  let rowsBefore = 0
  let entries = 0
  for (const section of sections) {
    const rows = rowsOf(section)
    const first = Math.max(0, Math.floor((stretch.top - section.top) / section.rowHeight) - stretch.overscan)
    const end = Math.min(rows, Math.ceil((stretch.bottom - section.top) / section.rowHeight) + stretch.overscan)
    for (let row = first; row < end; row++) {
      const one = rowOf(section, row, rowsBefore)
      entries += one.count
      if (entries > (stretch.atMost ?? Infinity)) return shown
      shown.push(one)
    }
    rowsBefore += rows
  }
  return shown
}

/** The row of an entry; null for an invalid position. */
export function rowAt(sections: readonly Section[], position: number): VisibleRow | null {
  let rowsBefore = 0
  for (const section of sections) {
    if (position >= section.from && position < section.from + section.count)
      return rowOf(section, Math.floor((position - section.from) / section.columns), rowsBefore)
    rowsBefore += rowsOf(section)
  }
  return null
}

/** The position that a key moves to, clamped to the entries. */
export function stepFrom(sections: readonly Section[], position: number, step: Step, pageHeight: number): number {
  const count = sections.reduce((sum, section) => sum + section.count, 0)
  const row = rowAt(sections, position)
  if (row === null || step === 'first') return 0
  if (step === 'last') return count - 1
  if (step === 'back') return Math.max(0, position - 1)
  if (step === 'forth') return Math.min(count - 1, position + 1)
  const column = position - row.from
  const rows = step === 'up' || step === 'down' ? 1 : Math.max(1, Math.floor(pageHeight / row.section.rowHeight) - 1)
  const wanted = row.row + (step === 'up' || step === 'page-up' ? -rows : rows)
  const target = rowNumbered(sections, Math.min(rowCount(sections) - 1, Math.max(0, wanted)))
  // A single step beyond the edge does nothing; a page step stops at the edge.
  if (target === null || (wanted !== target.row && rows === 1)) return position
  return target.from + Math.min(column, target.count - 1)
}

function rowNumbered(sections: readonly Section[], wanted: number): VisibleRow | null {
  let rowsBefore = 0
  for (const section of sections) {
    const rows = rowsOf(section)
    if (wanted < rowsBefore + rows) return rowOf(section, wanted - rowsBefore, rowsBefore)
    rowsBefore += rows
  }
  return null
}

function rowOf(section: Section, row: number, rowsBefore: number): VisibleRow {
  const from = section.from + row * section.columns
  const count = Math.min(section.columns, section.from + section.count - from)
  return { section, row: rowsBefore + row, top: section.top + row * section.rowHeight, from, count }
}
