import type { ReactNode } from 'react'
import type { FileType } from '../../shared/contract/resources.ts'
import { formatBytes, formatBytesExact, formatDate, formatDateExact } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import styles from './entry-row.module.css'
import { FileName } from './file-name.tsx'
import { kindName } from './kind-name.ts'

interface EntryNameProps {
  entry: { name: string; type: FileType; isDir: boolean; isLink: boolean; away?: boolean }
  href: string
  /** Shows the name on two lines with about this many characters; otherwise on one line. */
  twoLines?: number | undefined
  /** After the name. */
  mark?: ReactNode
}

/** The name as a link, for middle clicks and screen readers, with a hidden type if the name does not tell it. */
export function EntryName({ entry, href, twoLines, mark }: EntryNameProps) {
  return (
    <a className={styles.link} href={href} tabIndex={-1} draggable={false}>
      <FileName name={entry.name} twoLines={twoLines} />
      {(entry.isDir || entry.isLink) && <span className="sr-only">{kindName(entry)}</span>}
      {mark}
      {entry.away && <i>{t('errors.offline.title')}</i>}
    </a>
  )
}

/** Rounded size with the exact one as tooltip. Folders have one if it is known. */
export function EntrySize({ entry }: { entry: { size: number; sum?: number; type: FileType; isDir: boolean } }) {
  const bytes = entry.isDir ? entry.sum : entry.size
  if (bytes === undefined) return <span aria-hidden>–</span>
  if (entry.type === 'invalid_link') return <bdi>{t('files.kind.broken')}</bdi>
  return <bdi title={formatBytesExact(bytes)}>{formatBytes(bytes)}</bdi>
}

export function EntryDate({ modified }: { modified: number }) {
  const date = new Date(modified)
  const known = !Number.isNaN(modified)
  return (
    <time dateTime={known ? date.toISOString() : undefined} title={formatDateExact(date)}>
      <bdi>{formatDate(date)}</bdi>
    </time>
  )
}
