import { Download } from 'lucide-react'
import { memo, useSyncExternalStore } from 'react'
import type { ListedEntry } from '../../data/listing.ts'
import { fullAddress } from '../../data/paths.ts'
import type { Selection } from '../../data/selection.ts'
import { urlInShare } from '../../data/share-links.ts'
import { sharedDownload } from '../../data/shared-resource.ts'
import { t } from '../../i18n/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { IconLink } from '../../ui/icon-link.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import cells from '../../widgets/entry-cells.module.css'
import { EntryCells } from '../../widgets/entry-cells.tsx'
import styles from './shared-list.module.css'
import { SharedThumbnail } from './shared-thumbnail.tsx'

export interface SharedRowProps {
  hash: string
  entry: ListedEntry
  /** From 1. */
  rowIndex: number
  /** Whether it is the Tab stop before any row has had focus. */
  first: boolean
  selection: Selection
  mayTake: boolean
}

/** An entry of a share. */
export const SharedRow = memo(function SharedRow({ hash, entry, rowIndex, first, selection, mayTake }: SharedRowProps) {
  const phone = usePhone()
  const { index, path, isDir } = entry
  const selected = useSyncExternalStore(selection.subscribe, () => selection.has(index))
  const multiple = useSyncExternalStore(selection.subscribe, () => selection.multiple)
  const focused = useSyncExternalStore(selection.subscribe, () => selection.focus === index || (first && selection.focus === null))
  return (
    <div
      role="row"
      className={classes(cells.row, styles.row)}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      tabIndex={focused ? 0 : -1}
      data-item={index}
      data-part="row"
      data-marked={selected || multiple ? selected : undefined}
    >
      <EntryCells
        entry={entry}
        href={fullAddress(urlInShare(hash, path, { folder: isDir }))}
        phone={phone}
        picture={(className) => <SharedThumbnail hash={hash} entry={entry} size={phone ? 32 : 28} className={className} />}
      />
      <div role="gridcell" data-own-click>
        {mayTake && entry.type !== 'invalid_link' && (
          <IconLink
            label={t('visit.download-named', { name: displayName(entry.name) })}
            icon={Download}
            href={sharedDownload({ hash, path })}
            tabIndex={-1}
            download
          />
        )}
      </div>
    </div>
  )
}, isSameRow)

/** Entry objects are recreated on every rendering; compare their listing. */
export function isSameRow(before: SharedRowProps, now: SharedRowProps): boolean {
  return before.selection === now.selection && before.rowIndex === now.rowIndex && before.entry.index === now.entry.index
}
