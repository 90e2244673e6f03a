import type { ReactNode } from 'react'
import type { FileType } from '../../shared/contract/resources.ts'
import { formatBytes, formatBytesExact, formatDate, formatDateExact } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import styles from './entry-row.module.css'
import { FileName } from './file-name.tsx'
import { kindName } from './kind-name.ts'

interface EntryNameProps {
  entry: { name: string; type: FileType; isDir: boolean; isLink: boolean }
  href: string
  /** Two lines for the name, which hold about so many letters; without it there is one. */
  twoLines?: number
  /** Beside the name. */
  mark?: ReactNode
}

/** An entry's name as a real link, for the middle button and for reading; what kind it is, is said where the name does not say it. */
export function EntryName({ entry, href, twoLines, mark }: EntryNameProps) {
  return (
    <a className={styles.link} href={href} tabIndex={-1} draggable={false}>
      <FileName name={entry.name} twoLines={twoLines} />
      {(entry.isDir || entry.isLink) && <span className="sr-only">{kindName(entry)}</span>}
      {mark}
    </a>
  )
}

/** A size as people say it; exact when asked. Folders have one where it is known. */
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
