import { EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { EntryDate, EntryName, EntrySize } from '../../../widgets/entry-row.tsx'
import { EntryBadges } from '../../../widgets/entry-badges.tsx'
import styles from './mosaic-row.module.css'
import { type RowProps, useRow } from './row-props.ts'
import { SelectBox, selectLabel } from './select-box.tsx'
import { Thumbnail } from './thumbnail.tsx'

export interface TileProps extends RowProps {
  /** From 1. */
  readonly column: number
  /** Approximate number of characters on two lines. */
  readonly letters: number
}

/** A folder in the mosaic: its name on two lines, cut at the end, or on one above its size. */
export const Chip = memo(function Chip({ column, ...rest }: Omit<TileProps, 'letters'>) {
  const { entry, starred, shared, selected, href, attributes } = useRow(rest)
  const name = displayName(entry.name)
  return (
    <div role="gridcell" className={styles.chip} aria-colindex={column} data-part="tile" {...attributes}>
      <SelectBox label={selectLabel(name)} checked={selected} onToggle={() => rest.selection.toggle(rest.index)} />
      <span className={styles.chipGlyph}>
        <EntryIcon name={entry.name} type={entry.type} isDir isLink={entry.isLink} size={28} />
      </span>
      <span className={styles.chipWords}>
        <EntryName
          entry={entry}
          href={href}
          twoLines={entry.sum === undefined ? Infinity : undefined}
          mark={<EntryBadges starred={starred} shared={shared} />}
        />
        {entry.sum !== undefined && (
          <span className="muted text-caption truncated">
            <EntrySize entry={entry} />
          </span>
        )}
      </span>
      <More name={name} />
    </div>
  )
})

/** Tiles at least this wide, in characters, also show the date. */
const DATED_FROM = 24

/** A file in the mosaic: thumbnail or icon, name, size and date. */
export const Tile = memo(function Tile({ column, letters, ...rest }: TileProps) {
  const { entry, starred, shared, selected, href, attributes } = useRow(rest)
  const name = displayName(entry.name)
  return (
    <div role="gridcell" className={styles.tile} aria-colindex={column} data-part="tile" {...attributes}>
      <SelectBox label={selectLabel(name)} checked={selected} onToggle={() => rest.selection.toggle(rest.index)} />
      <Thumbnail key={entry.modified} entry={entry} size={56} shownPx={128} className={styles.picture} />
      <span className={styles.caption}>
        <EntryName entry={entry} href={href} twoLines={letters} mark={<EntryBadges starred={starred} shared={shared} />} />
        <span className="muted text-caption truncated">
          <EntrySize entry={entry} />
          {letters >= DATED_FROM && (
            <>
              {' · '}
              <EntryDate modified={entry.modified} />
            </>
          )}
        </span>
      </span>
      <More name={name} />
    </div>
  )
})

function More({ name }: { name: string }) {
  return (
    <IconButton
      size="small"
      label={t('files.more', { name })}
      icon={EllipsisVertical}
      iconSize={18}
      className={styles.more}
      tabIndex={-1}
      data-more
      data-tooltip={undefined}
    />
  )
}
