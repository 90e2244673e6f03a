import { useEffect, useRef, useState } from 'react'
import type { ListedEntry } from '../../../data/listing.ts'
import { hasThumbnail, pictureAddress } from '../../../data/pictures.ts'
import { useUser } from '../../../data/session.ts'
import { whenNotPending } from '../../../data/pending-paths.ts'
import { createSemaphore } from '../../../data/semaphore.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { may } from '../offers.ts'
import styles from './thumbnail.module.css'

/** At the same time; one fewer than a browser has connections to a server, so that a click never waits for pictures. */
const turns = createSemaphore(5)
/** How often a picture that came late, and then did not come after all, is taken again. */
const MOST_RETURNS = 2
/** What turned out to have no picture is not asked for again. */
const without = new Set<string>()

export interface ThumbnailProps {
  entry: ListedEntry
  /** Of the glyph, in pixels. */
  size: number
  /** The shorter side of the picture on the screen; that of the glyph when not said. */
  shownPx?: number
  className?: string | undefined
}

/**
 * A file's picture over its glyph. Only rows near the window exist, so what exists may load; what leaves while it loads, or waits to, lets go of
 * its request.
 */
export function Thumbnail({ entry, size, shownPx = size, className }: ThumbnailProps) {
  const { perm } = useUser()
  const image = useRef<HTMLImageElement>(null)
  const { path } = entry
  const src = pictureAddress('thumb', path, entry.modified)
  const offered = hasThumbnail(entry, { shownPx }) && may(perm, 'download')
  const [state, setState] = useState<'coming' | 'shown' | 'none'>(offered && !without.has(src) ? 'coming' : 'none')
  const wanted = state !== 'none'

  // Talks to the browser's loader, which a render must not start: it is a matter of turns.
  useEffect(() => {
    const element = image.current
    if (!wanted || element === null) return
    const events = new AbortController()
    const { signal } = events
    let end: () => void = () => undefined
    let returns = 0
    // Keeps its turn meanwhile: where the server has too much to do, others would fare no better.
    const failed = async () => {
      const isThere = returns++ < MOST_RETURNS && (await comesLate(src, signal))
      if (signal.aborted) return
      if (isThere) element.src = src
      else {
        end()
        without.add(src)
        setState('none')
      }
    }
    // A name that was given a moment ago may be on its way to the server.
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

/** Few pictures fail: what asks for them again is fetched then. Never fails, so that a turn is always given back. */
function comesLate(src: string, signal: AbortSignal): Promise<boolean> {
  return import('../../../data/late-picture.ts').then(
    (late) => late.comesLate(src, signal),
    () => false,
  )
}
