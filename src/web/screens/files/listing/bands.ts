/** Entries laid out in rows of equal height: the whole list is one band, a mosaic has one for folders and one for files. */
export interface Band {
  /** Where its first row begins, in pixels from the top of the content. */
  readonly top: number
  /** From one row to the next, the gap included. */
  readonly rowHeight: number
  readonly columns: number
  /** Position of its first entry. */
  readonly from: number
  readonly count: number
}

/** One row on show. */
export interface ShownRow {
  readonly band: Band
  /** Counted through all bands, from 0. */
  readonly row: number
  /** Pixels from the top of the content. */
  readonly top: number
  readonly from: number
  readonly count: number
}

export type Step = 'up' | 'down' | 'back' | 'forth' | 'page-up' | 'page-down' | 'first' | 'last'

export function rowsOf({ count, columns }: Band): number {
  return Math.ceil(count / columns)
}

export function rowCount(bands: readonly Band[]): number {
  return bands.reduce((sum, band) => sum + rowsOf(band), 0)
}

/** Height of everything, in pixels. */
export function contentHeight(bands: readonly Band[]): number {
  const last = bands.at(-1)
  return last === undefined ? 0 : last.top + rowsOf(last) * last.rowHeight
}

/**
 * The rows that a stretch of the content touches, and `overscan` more on either side of it.
 * @param atMost entries, so that a first paint stays small
 */
export function rowsBetween(
  bands: readonly Band[],
  stretch: { top: number; bottom: number; overscan: number; atMost?: number },
): ShownRow[] {
  const shown: ShownRow[] = []
  let rowsBefore = 0
  let entries = 0
  for (const band of bands) {
    const rows = rowsOf(band)
    const first = Math.max(0, Math.floor((stretch.top - band.top) / band.rowHeight) - stretch.overscan)
    const end = Math.min(rows, Math.ceil((stretch.bottom - band.top) / band.rowHeight) + stretch.overscan)
    for (let row = first; row < end; row++) {
      const one = rowOf(band, row, rowsBefore)
      entries += one.count
      if (entries > (stretch.atMost ?? Infinity)) return shown
      shown.push(one)
    }
    rowsBefore += rows
  }
  return shown
}

/** The row in which an entry stands; null for a position that is none. */
export function rowAt(bands: readonly Band[], position: number): ShownRow | null {
  let rowsBefore = 0
  for (const band of bands) {
    if (position >= band.from && position < band.from + band.count)
      return rowOf(band, Math.floor((position - band.from) / band.columns), rowsBefore)
    rowsBefore += rowsOf(band)
  }
  return null
}

/** Where a key leads from a position; it stays within the entries. */
export function stepFrom(bands: readonly Band[], position: number, step: Step, pageHeight: number): number {
  const count = bands.reduce((sum, band) => sum + band.count, 0)
  const row = rowAt(bands, position)
  if (row === null || step === 'first') return 0
  if (step === 'last') return count - 1
  if (step === 'back') return Math.max(0, position - 1)
  if (step === 'forth') return Math.min(count - 1, position + 1)
  const column = position - row.from
  const rows = step === 'up' || step === 'down' ? 1 : Math.max(1, Math.floor(pageHeight / row.band.rowHeight) - 1)
  const wanted = row.row + (step === 'up' || step === 'page-up' ? -rows : rows)
  const target = rowNumbered(bands, Math.min(rowCount(bands) - 1, Math.max(0, wanted)))
  // A single step past the edge stays; a page goes to the edge.
  if (target === null || (wanted !== target.row && rows === 1)) return position
  return target.from + Math.min(column, target.count - 1)
}

function rowNumbered(bands: readonly Band[], wanted: number): ShownRow | null {
  let rowsBefore = 0
  for (const band of bands) {
    const rows = rowsOf(band)
    if (wanted < rowsBefore + rows) return rowOf(band, wanted - rowsBefore, rowsBefore)
    rowsBefore += rows
  }
  return null
}

function rowOf(band: Band, row: number, rowsBefore: number): ShownRow {
  const from = band.from + row * band.columns
  const count = Math.min(band.columns, band.from + band.count - from)
  return { band, row: rowsBefore + row, top: band.top + row * band.rowHeight, from, count }
}
