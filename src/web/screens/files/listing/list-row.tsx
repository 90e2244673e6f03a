import { EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { classes } from '../../../ui/classes.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import cells from '../../../widgets/entry-cells.module.css'
import { EntryCells } from '../../../widgets/entry-cells.tsx'
import { EntryBadges } from '../../../widgets/entry-badges.tsx'
import styles from './list-row.module.css'
import { type RowProps, useRow } from './row-props.ts'
import { SelectBox, selectLabel } from './select-box.tsx'
import { Thumbnail } from './thumbnail.tsx'

export interface ListRowProps extends RowProps {
  /** Pixels from the top of the content. */
  readonly top: number
  /** `aria-rowindex`: the header is 1. */
  readonly rowIndex: number
  readonly phone: boolean
  /** Whether there is a type column. */
  readonly typed: boolean
  /** Rendered without controls during fast scrolling. */
  readonly bare: boolean
  /** Icon size in pixels. */
  readonly glyph: number
}

/** One entry of the list. */
export const ListRow = memo(function ListRow({ top, rowIndex, phone, typed, bare, glyph, ...rest }: ListRowProps) {
  const { entry, starred, shared, selected, href, attributes } = useRow(rest)
  const name = displayName(entry.name)
  return (
    <div
      role="row"
      className={classes(cells.row, styles.row)}
      style={{ insetBlockStart: top }}
      aria-rowindex={rowIndex}
      data-part="row"
      data-marked={(phone && selected) || undefined}
      {...attributes}
    >
      {!phone && (
        <div role="gridcell" className={styles.check}>
          {!bare && <SelectBox label={selectLabel(name)} checked={selected} onToggle={() => rest.selection.toggle(rest.index)} />}
        </div>
      )}
      <EntryCells
        entry={entry}
        href={href}
        phone={phone}
        typed={typed}
        mark={<EntryBadges starred={starred} shared={shared} />}
        picture={(className) => <Thumbnail key={entry.modified} entry={entry} size={glyph} className={className} />}
      />
      <div role="gridcell" className={styles.more}>
        {!bare && (
          <IconButton
            size="small"
            label={t('files.more', { name })}
            icon={EllipsisVertical}
            iconSize={18}
            tabIndex={-1}
            data-more
            data-tooltip={undefined}
          />
        )}
      </div>
    </div>
  )
})
