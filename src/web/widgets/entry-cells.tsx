import type { ReactNode } from 'react'
import type { FileType } from '../../shared/contract/resources.ts'
import styles from './entry-cells.module.css'
import { kindName } from './kind-name.ts'
import { EntryDate, EntryName, EntrySize } from './entry-row.tsx'

export interface EntryCellsProps {
  entry: { name: string; type: FileType; isDir: boolean; isLink: boolean; away?: boolean; size: number; sum?: number; modified: number }
  href: string
  phone: boolean
  /** Whether there is a type cell. */
  typed?: boolean
  /** After the name. */
  mark?: ReactNode
  /** Icon or thumbnail with this class. */
  picture: (className: string | undefined) => ReactNode
}

/** Cells of a row: icon, name, size and date; on phones details are below the name. */
export function EntryCells({ entry, href, phone, typed = false, mark, picture }: EntryCellsProps) {
  return (
    <>
      <div role="rowheader" className={styles.name}>
        {picture(styles.glyph)}
        <span className={styles.words}>
          <EntryName entry={entry} href={href} mark={mark} />
          {phone && (
            <span className={styles.below}>
              {(!entry.isDir || entry.sum !== undefined) && (
                <>
                  <EntrySize entry={entry} /> ·{' '}
                </>
              )}
              <EntryDate modified={entry.modified} />
            </span>
          )}
        </span>
      </div>
      {!phone && (
        <>
          {typed && (
            <div role="gridcell" className="truncated" data-column="type">
              <span>{kindName(entry)}</span>
            </div>
          )}
          <div role="gridcell" className="truncated" data-column="size">
            <EntrySize entry={entry} />
          </div>
          <div role="gridcell" className="truncated" data-column="modified">
            <EntryDate modified={entry.modified} />
          </div>
        </>
      )}
    </>
  )
}
