import { type ReactNode, useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { formatBytes, formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { displayName } from './display-name.ts'
import styles from './print-sheet.module.css'

/** Some hundred pages: who wants more on paper would wait for minutes. */
const MOST_ROWS = 5000

export interface PrintedEntry {
  readonly name: string
  readonly isDir: boolean
  /** Bytes. */
  readonly size: number
  /** Of a folder, where it is known. */
  readonly sum?: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

export interface PrintSheetProps {
  title: string
  /** Below the title: how much there is. */
  amount: ReactNode
  /** Where it can be found again. */
  address: string
  count: number
  /** The entry at a place of the order on show. */
  entryAt: (position: number) => PrintedEntry
}

/** What a list is on paper: nothing on the screen; while the browser prints, a plain table of everything in place of the page. */
export function PrintSheet(props: PrintSheetProps) {
  const [printing, setPrinting] = useState(false)
  // Synchronises with the browser's printing, which takes the page as it is when these have returned.
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
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

/** On paper the date is a date: what was “yesterday” says nothing next week. */
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
