import { useEffect, useState } from 'react'
import type { ListedEntry } from '../../data/listing.ts'
import { hasThumbnail } from '../../data/pictures.ts'
import { sharedPicture } from '../../data/shared-resource.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import styles from './shared-list.module.css'

interface SharedThumbnailProps {
  hash: string
  entry: ListedEntry
  /** Size of the icon in pixels. */
  size: number
  className?: string | undefined
}

/** Thumbnail over the file's icon, loaded lazily by the browser. */
export function SharedThumbnail({ hash, entry, size, className }: SharedThumbnailProps) {
  const [state, setState] = useState<'coming' | 'late' | 'back' | 'shown' | 'none'>(hasThumbnail(entry) ? 'coming' : 'none')
  const src = sharedPicture('thumb', { hash, path: entry.path }, entry.modified)
  const isLate = state === 'late'

  // Retries while the server is busy.
  useEffect(() => {
    if (!isLate) return
    const left = new AbortController()
    const show = (isThere: boolean) => !left.signal.aborted && setState(isThere ? 'back' : 'none')
    void import('../../data/late-picture.ts').then(({ retryThumbnail }) => retryThumbnail(src, left.signal)).then(show, () => show(false))
    return () => left.abort()
  }, [isLate, src])

  return (
    <span className={className}>
      {state !== 'shown' && <EntryIcon name={entry.name} type={entry.type} isDir={entry.isDir} isLink={entry.isLink} size={size} />}
      {state !== 'none' && !isLate && (
        <img
          className={styles.picture}
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          data-state={state}
          onLoad={() => setState('shown')}
          onError={() => setState(state === 'coming' ? 'late' : 'none')}
        />
      )}
    </span>
  )
}
