import { EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryDate, EntryName, EntrySize } from '../../../widgets/entry-row.tsx'
import styles from './list-row.module.css'
import { type RowProps, useRow } from './row-props.ts'
import { SelectBox, selectLabel } from './select-box.tsx'
import { Thumbnail } from './thumbnail.tsx'

export interface ListRowProps extends RowProps {
  /** Pixels from the top of the content. */
  readonly top: number
  /** For `aria-rowindex`: the head is 1. */
  readonly rowIndex: number
  readonly phone: boolean
}

/** One entry of the list. On phones its details stand below the name. */
export const ListRow = memo(function ListRow({ top, rowIndex, phone, ...rest }: ListRowProps) {
  const { entry, selected, href, attributes } = useRow(rest)
  const name = displayName(entry.name)
  return (
    <div role="row" className={styles.row} style={{ insetBlockStart: top }} aria-rowindex={rowIndex} data-part="row" {...attributes}>
      {!phone && (
        <div role="gridcell" className={styles.check}>
          <SelectBox label={selectLabel(name)} checked={selected} onToggle={() => rest.selection.toggle(rest.index)} />
        </div>
      )}
      <div role="rowheader" className={styles.name}>
        <Thumbnail key={entry.modified} entry={entry} size={phone ? 32 : 28} className={styles.glyph} />
        <span className={styles.words}>
          <EntryName entry={entry} href={href} />
          {phone && (
            <span className={styles.below}>
              {!entry.isDir && (
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
          <div role="gridcell" className={styles.size}>
            <EntrySize entry={entry} />
          </div>
          <div role="gridcell" className={styles.modified}>
            <EntryDate modified={entry.modified} />
          </div>
        </>
      )}
      <div role="gridcell" className={styles.more}>
        <IconButton
          size="small"
          label={t('files.more', { name })}
          icon={<EllipsisVertical size={18} strokeWidth={1.75} />}
          tabIndex={-1}
          data-more
          data-tooltip={undefined}
        />
      </div>
    </div>
  )
})
