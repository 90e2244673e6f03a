import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './table.module.css'

export interface Column<Row> {
  id: string
  label: string
  /** Visually hides the header, for columns of buttons. */
  labelHidden?: boolean
  align?: 'start' | 'end'
  render: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  label: string
  /** The first column is the row header. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A short table of records, shown as cards on phones. Files have a grid of their own. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  return (
    <table className={styles.table} aria-label={label} data-part="table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={classes(column.align === 'end' && styles.end)}>
              <span className={column.labelHidden ? 'sr-only' : undefined}>{column.label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column, at) =>
              at === 0 ? (
                <th key={column.id} scope="row">
                  {column.render(row)}
                </th>
              ) : (
                <td
                  key={column.id}
                  className={classes(column.align === 'end' && styles.end)}
                  data-label={column.labelHidden ? undefined : column.label}
                >
                  {column.render(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
