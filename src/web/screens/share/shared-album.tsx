import { Check, Play } from 'lucide-react'
import { memo, useSyncExternalStore } from 'react'
import { fullAddress } from '../../data/paths.ts'
import { urlInShare } from '../../data/share-links.ts'
import { EntryName } from '../../widgets/entry-row.tsx'
import styles from './shared-album.module.css'
import { SharedList, type SharedListProps } from './shared-list.tsx'
import { isSameRow, type SharedRowProps } from './shared-row.tsx'
import { SharedThumbnail } from './shared-thumbnail.tsx'

/** A shared folder of images and videos as a gallery; a click opens the preview. */
export function SharedAlbum(props: SharedListProps) {
  return <SharedList {...props} tiles={TILES} />
}

const SharedTile = memo(function SharedTile({ hash, entry, rowIndex, first, selection }: SharedRowProps) {
  const { index, path, isDir, type } = entry
  const selected = useSyncExternalStore(selection.subscribe, () => selection.has(index))
  const multiple = useSyncExternalStore(selection.subscribe, () => selection.multiple)
  const focused = useSyncExternalStore(selection.subscribe, () => selection.focus === index || (first && selection.focus === null))
  return (
    <div
      role="row"
      className={styles.tile}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      tabIndex={focused ? 0 : -1}
      data-item={index}
      data-part="tile"
      data-kind={isDir ? 'folder' : type}
    >
      <div role="rowheader" className={styles.cell}>
        <SharedThumbnail hash={hash} entry={entry} size={56} className={styles.picture} />
        {type === 'video' && (
          <span className={styles.film} aria-hidden>
            <Play size={16} fill="currentColor" />
          </span>
        )}
        <span className={styles.name}>
          <EntryName entry={entry} href={fullAddress(urlInShare(hash, path, { folder: isDir }))} />
        </span>
        {(multiple || selected) && (
          <span className={styles.mark} data-on={selected || undefined} aria-hidden>
            {selected && <Check size={14} strokeWidth={3} />}
          </span>
        )}
      </div>
    </div>
  )
}, isSameRow)

const TILES = { Tile: SharedTile, className: styles.album }
