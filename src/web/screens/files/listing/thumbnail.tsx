import { useEffect, useRef, useState } from 'react'
import type { ListedEntry } from '../../../data/listing.ts'
import { hasThumbnail, pictureAddress } from '../../../data/pictures.ts'
import { usePermissions } from '../../../data/rights.ts'
import { whenNotPending } from '../../../data/pending-paths.ts'
import { createSemaphore } from '../../../data/semaphore.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { may } from '../action-rules.ts'
import styles from './thumbnail.module.css'

/** One less than a browser's connections per server, so that clicks never wait for thumbnails. */
const turns = createSemaphore(5)
/** How often to retry a thumbnail that was announced but failed to load. */
const MOST_RETURNS = 2
/** Addresses without a thumbnail, not requested again. */
const without = new Set<string>()

export interface ThumbnailProps {
  entry: ListedEntry
  /** Size of the icon in pixels. */
  size: number
  /** Shorter side of the thumbnail on screen; defaults to the icon's. */
  shownPx?: number
  className?: string | undefined
}

/** Thumbnail over the file's icon. Only rows near the viewport exist, so every rendered thumbnail may load; unmounting cancels the request. */
export function Thumbnail({ entry, size, shownPx = size, className }: ThumbnailProps) {
  const perm = usePermissions(entry.name)
  const image = useRef<HTMLImageElement>(null)
  const { path } = entry
  const src = pictureAddress('thumb', path, entry.modified)
  const offered = hasThumbnail(entry, { shownPx }) && may(perm, 'download')
  const [state, setState] = useState<'coming' | 'shown' | 'none'>(offered && !without.has(src) ? 'coming' : 'none')
  const wanted = state !== 'none'

  // Loading must not start during rendering: it waits for the semaphore.
  useEffect(() => {
    const element = image.current
    if (!wanted || element === null) return
    const events = new AbortController()
    const { signal } = events
    let end: () => void = () => undefined
    let returns = 0
    // Keeps its slot meanwhile: while the server is busy, other requests would fail too.
    const failed = async () => {
      const isThere = returns++ < MOST_RETURNS && (await retryThumbnail(src, signal))
      if (signal.aborted) return
      if (isThere) element.src = src
      else {
        end()
        without.add(src)
        setState('none')
      }
    }
    // A renamed file may not exist on the server yet.
    whenNotPending(path, () => {
      if (!signal.aborted) end = turns.acquire(() => (element.src = src))
    })
    element.addEventListener('load', () => (end(), setState('shown')), { signal })
    element.addEventListener('error', () => void failed(), { signal })
    return () => {
      events.abort()
      if (!element.complete) element.removeAttribute('src')
      end()
    }
  }, [path, src, wanted])

  return (
    <span className={className}>
      {state !== 'shown' && <EntryIcon name={entry.name} type={entry.type} isDir={entry.isDir} isLink={entry.isLink} size={size} />}
      {wanted && (
        <img
          ref={image}
          className={styles.image}
          alt=""
          decoding="async"
          draggable={false}
          data-state={state}
          data-page={entry.type === 'pdf' || undefined}
        />
      )}
    </span>
  )
}

/** The retry code is loaded on first use. Never fails, so that the slot is always released. */
function retryThumbnail(src: string, signal: AbortSignal): Promise<boolean> {
  return import('../../../data/late-picture.ts').then(
    (late) => late.retryThumbnail(src, signal),
    () => false,
  )
}
