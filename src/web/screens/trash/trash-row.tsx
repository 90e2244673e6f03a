import { EllipsisVertical } from 'lucide-react'
import { memo, useSyncExternalStore } from 'react'
import { fileType } from '../../../shared/file-type.ts'
import { parentOf, ROOT } from '../../../shared/file-path.ts'
import { urlFromPath } from '../../data/paths.ts'
import type { Selection } from '../../data/selection.ts'
import type { Trashed } from '../../data/trash.ts'
import { formatBytes, formatBytesExact, formatDate, formatDateExact } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Link } from '../../router/router.tsx'
import { CheckboxInput } from '../../ui/checkbox.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import cells from '../../widgets/entry-cells.module.css'
import { FileName } from '../../widgets/file-name.tsx'
import { TimeLeft } from './time-left.tsx'
import styles from './trash-grid.module.css'

export interface TrashRowProps {
  readonly entry: Trashed
  readonly index: number
  readonly selection: Selection
  /** Pixels from the top of the content. */
  readonly top: number
  /** `aria-rowindex`. */
  readonly rowIndex: number
  /** Whether it is the grid's Tab stop (roving tabindex). */
  readonly tabbable: boolean
  readonly phone: boolean
  /** Whether there is a column for the person. */
  readonly who: boolean
}

/** Something in the trash: where it was, when it was deleted, how large it is, and how long it stays. */
export const TrashRow = memo(function TrashRow({ entry, index, selection, top, rowIndex, tabbable, phone, who }: TrashRowProps) {
  useSyncExternalStore(selection.subscribe, () => selection.stateOf(index))
  const { name, isDir, size, deletedBy, expiresAt } = entry
  const selected = selection.has(index)
  const shown = displayName(name)
  return (
    <div
      role="row"
      className={classes(cells.row, styles.row)}
      style={{ insetBlockStart: top }}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      tabIndex={tabbable ? 0 : -1}
      data-item={index}
      data-part="row"
      data-marked={(phone && selected) || undefined}
    >
      {!phone && (
        <div role="gridcell" className={styles.check}>
          <label className={styles.hit} data-own-click>
            <CheckboxInput
              tabIndex={-1}
              checked={selected}
              aria-label={t('files.select', { name: shown })}
              onChange={() => selection.toggle(index)}
            />
          </label>
        </div>
      )}
      <div role="rowheader" className={cells.name}>
        <span className={cells.glyph}>
          <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} size={28} />
        </span>
        <span className={classes(cells.words, styles.words)}>
          <FileName name={name} />
          {isDir && <span className="sr-only">{t('files.kind.folder')}</span>}
          {phone && (
            <span className={styles.below}>
              <span className={styles.from}>{folderName(entry)}</span>
              <span className={styles.fact}>
                <When entry={entry} />
              </span>
              {who && (
                <span className={styles.fact}>
                  <bdi>{displayName(deletedBy)}</bdi>
                </span>
              )}
              <span className={styles.fact}>
                <TimeLeft expiresAt={expiresAt} long />
              </span>
            </span>
          )}
        </span>
      </div>
      {!phone && (
        <>
          <div role="gridcell" className="truncated" data-column="from">
            <Link
              to={urlFromPath(parentOf(entry.path), { folder: true })}
              className={styles.link}
              title={folderName(entry)}
              tabIndex={-1}
              draggable={false}
              data-own-click
            >
              <bdi>{folderName(entry)}</bdi>
            </Link>
          </div>
          <div role="gridcell" className="truncated" data-column="deleted">
            <When entry={entry} />
          </div>
          {who && (
            <div role="gridcell" className="truncated" data-column="who">
              <bdi title={deletedBy}>{displayName(deletedBy)}</bdi>
            </div>
          )}
          <div role="gridcell" className="truncated" data-column="size">
            {size === null ? <span aria-hidden>–</span> : <bdi title={formatBytesExact(size)}>{formatBytes(size)}</bdi>}
          </div>
          <div role="gridcell" className="truncated" data-column="left">
            <TimeLeft expiresAt={expiresAt} />
          </div>
        </>
      )}
      <div role="gridcell" className={styles.more}>
        <IconButton
          size="small"
          label={t('files.more', { name: shown })}
          icon={EllipsisVertical}
          iconSize={18}
          tabIndex={-1}
          data-more
          data-tooltip={undefined}
        />
      </div>
    </div>
  )
})

function When({ entry: { deletedAt } }: { entry: Trashed }) {
  const date = new Date(deletedAt)
  return (
    <time dateTime={deletedAt} title={formatDateExact(date)}>
      <bdi>{formatDate(date)}</bdi>
    </time>
  )
}

/** The folder that it was in. */
function folderName({ path }: Trashed): string {
  const parent = parentOf(path)
  return parent === ROOT ? t('files.root') : displayName(parent.slice(1))
}
