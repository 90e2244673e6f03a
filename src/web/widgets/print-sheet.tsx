import { type ReactNode, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { formatBytes, formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { usePageEvent } from '../ui/use-page-event.ts'
import { displayName } from './display-name.ts'
import styles from './print-sheet.module.css'

/** Several hundred pages. */
const MOST_ROWS = 5000

export interface PrintedEntry {
  readonly name: string
  readonly isDir: boolean
  /** Bytes. */
  readonly size: number
  /** For folders, if known. */
  readonly sum?: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

export interface PrintSheetProps {
  title: string
  /** Size or counts, below the title. */
  amount: ReactNode
  /** Printed address. */
  address: string
  count: number
  /** The entry at a display position. */
  entryAt: (position: number) => PrintedEntry
}

/** Print view of a list: renders nothing on screen; while printing, a plain table replaces the page. */
export function PrintSheet(props: PrintSheetProps) {
  const [printing, setPrinting] = useState(false)
  // Print events: the browser prints the page as it is when their handlers return.
  usePageEvent('beforeprint', () => flushSync(() => setPrinting(true)))
  usePageEvent('afterprint', () => setPrinting(false))
  return printing && createPortal(<Sheet {...props} />, document.body)
}

function Sheet({ title, amount, address, count, entryAt }: PrintSheetProps) {
  const shown = Math.min(count, MOST_ROWS)
  return (
    <article className={styles.sheet} data-part="print-sheet">
      <h1 className={styles.title}>
        <bdi>{title}</bdi>
      </h1>
      <p className={styles.amount}>{amount}</p>
      <p className={styles.amount}>
        <bdi>{address}</bdi>
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('files.column.name')}</th>
            <th scope="col">{t('files.column.size')}</th>
            <th scope="col">{t('files.column.modified')}</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: shown }, (_, position) => (
            <Row key={position} entry={entryAt(position)} />
          ))}
        </tbody>
      </table>
      {count > shown && <p className={styles.amount}>{t('visit.more', { n: count - shown })}</p>}
    </article>
  )
}

/** Absolute dates: “yesterday” is useless on paper. */
function Row({ entry: { name, isDir, size, sum, modified } }: { entry: PrintedEntry }) {
  const bytes = isDir ? sum : size
  return (
    <tr>
      <td>
        <bdi>
          {displayName(name)}
          {isDir && '/'}
        </bdi>
      </td>
      <td>{bytes === undefined ? '–' : <bdi>{formatBytes(bytes)}</bdi>}</td>
      <td>
        <bdi>{formatDateTime(new Date(modified))}</bdi>
      </td>
    </tr>
  )
}
