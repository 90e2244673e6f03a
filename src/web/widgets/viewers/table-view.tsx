import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useScrollView } from '../../ui/use-scroll-view.ts'
import { readTable, type Table } from './csv.ts'
import styles from './table-view.module.css'

const ROW_PX = 32
/** Rendered beyond the viewport. */
const SPARE_ROWS = 12
/** Generous, so that dates are not truncated. */
const [LETTER_PX, IDEOGRAPH_PX, PADDING_PX] = [8.6, 13.5, 24]
const [NARROWEST_PX, WIDEST_PX, NUMBER_PX] = [72, 360, 64]
/** Column widths are measured from the first rows only. */
const MEASURED_ROWS = 200

/** CSV as a virtualised table; cells are plain text. */
export function TableView({ text, name }: { text: string; name: string }) {
  const [table, setTable] = useState<Table | null>(null)
  // Parses in chunks.
  useEffect(() => {
    const left = new AbortController()
    readTable(text, { name, signal: left.signal, onTable: setTable })
    return () => left.abort()
  }, [text, name])
  if (table === null) return <Spinner size={32} />
  return <Grid table={table} name={name} />
}

function Grid({ table, name }: { table: Table; name: string }) {
  const { rows, columns, done, cut } = table
  const frame = useRef<HTMLDivElement>(null)
  const view = useScrollView(frame)
  const measured = Math.min(rows.length, MEASURED_ROWS)
  // `rows` is one growing array; measurements depend on these values only.
  const starts = useMemo(() => startsOf(rows.slice(0, measured), columns), [rows, measured, columns])
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - SPARE_ROWS)
  const last = Math.min(rows.length - 1, Math.ceil((view.top + view.height) / ROW_PX) + SPARE_ROWS)
  const seen = Array.from({ length: columns }, (_, column) => column).filter(
    (column) => (starts[column + 1] ?? 0) >= view.start - WIDEST_PX && (starts[column] ?? 0) <= view.start + view.width + WIDEST_PX,
  )
  const [head = []] = rows
  const cells = (row: readonly string[], role: 'cell' | 'columnheader') =>
    seen.map((column) => (
      <div key={column} role={role} aria-colindex={column + 2} className={styles.cell} style={placeOf(starts, column)} title={row[column]}>
        {/* A cell's own direction must not affect the order of columns. */}
        <bdi>{row[column]}</bdi>
      </div>
    ))
  return (
    <div className={styles.whole} data-part="csv">
      <div ref={frame} className={styles.frame} tabIndex={0} role="region" aria-label={name}>
        <div
          role="table"
          aria-label={name}
          aria-rowcount={done ? rows.length : -1}
          aria-colcount={columns + 1}
          className={styles.table}
          style={{ blockSize: rows.length * ROW_PX, inlineSize: starts[columns] ?? 0 }}
        >
          <div role="row" aria-rowindex={1} className={styles.head}>
            <div role="columnheader" aria-colindex={1} className={styles.number} aria-label={t('table.row')} />
            {cells(head, 'columnheader')}
          </div>
          {Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at + 1).map((index) => (
            <div key={index} role="row" aria-rowindex={index + 1} className={styles.row} style={{ insetBlockStart: index * ROW_PX }}>
              <div role="rowheader" aria-colindex={1} className={styles.number}>
                {formatNumber(index)}
              </div>
              {cells(rows[index] ?? [], 'cell')}
            </div>
          ))}
        </div>
      </div>
      <p className={styles.count} role="status">
        {done ? t('table.count', { rows: Math.max(0, rows.length - 1), columns }) : t('table.reading')}
        {cut && ` · ${t('table.cut')}`}
      </p>
    </div>
  )
}

/** Start of each column, and the end of the table. */
function startsOf(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const widest = Array.from({ length: columns }, () => NARROWEST_PX)
  for (const row of rows) for (const [column, cell] of row.entries()) widest[column] = Math.max(widest[column] ?? 0, widthOf(cell))
  const starts = [NUMBER_PX]
  for (const width of widest) starts.push((starts.at(-1) ?? 0) + Math.ceil(width))
  return starts
}

/** Estimated width in pixels, limited to the maximum. */
function widthOf(cell: string): number {
  let width = PADDING_PX
  for (const letter of cell) {
    width += letter < '\u1100' ? LETTER_PX : IDEOGRAPH_PX
    if (width >= WIDEST_PX) return WIDEST_PX
  }
  return width
}

function placeOf(starts: readonly number[], column: number): CSSProperties {
  const start = starts[column] ?? 0
  return { insetInlineStart: start, inlineSize: (starts[column + 1] ?? start) - start }
}
