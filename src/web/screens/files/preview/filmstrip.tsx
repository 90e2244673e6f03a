import { useEffect, useMemo, useRef } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import { entryAt, type Listing } from '../../../data/listing.ts'
import { mediaOf } from '../../../data/neighbours.ts'
import { t } from '../../../i18n/i18n.tsx'
import { useScrollView } from '../../../ui/use-scroll-view.ts'
import { displayName } from '../../../widgets/display-name.ts'
import { Thumbnail } from '../listing/thumbnail.tsx'
import styles from './filmstrip.module.css'

const FRAME_PX = 76
const SPARE = 4

/** The media files of the folder in a row, the current one in the centre; virtualised. */
export function Filmstrip({ folder, path, onOpen }: { folder: Listing; path: FilePath; onOpen: (path: FilePath) => void }) {
  const strip = useRef<HTMLDivElement>(null)
  const view = useScrollView(strip)
  const media = useMemo(() => mediaOf(folder), [folder])
  const current = useMemo(() => media.findIndex((position) => entryAt(folder, position).path === path), [folder, media, path])

  // Centres the current one.
  useEffect(() => {
    const element = strip.current
    if (element === null || current < 0) return
    const flow = getComputedStyle(element).direction === 'rtl' ? -1 : 1
    element.scrollLeft = flow * (current * FRAME_PX - (element.clientWidth - FRAME_PX) / 2)
  }, [current])

  const first = Math.max(0, Math.floor(view.start / FRAME_PX) - SPARE)
  const last = Math.min(media.length, Math.ceil((view.start + view.width) / FRAME_PX) + SPARE)
  return (
    <nav ref={strip} className={styles.strip} aria-label={t('preview.filmstrip')} data-part="filmstrip">
      <div className={styles.film} style={{ inlineSize: media.length * FRAME_PX }}>
        {Array.from(media.subarray(first, last), (position, at) => {
          const entry = entryAt(folder, position)
          const shown = first + at === current
          return (
            <button
              key={entry.path}
              type="button"
              className={styles.frame}
              style={{ insetInlineStart: (first + at) * FRAME_PX }}
              aria-label={displayName(entry.name)}
              aria-current={shown}
              tabIndex={shown ? 0 : -1}
              onClick={() => onOpen(entry.path)}
            >
              <Thumbnail entry={entry} size={32} shownPx={FRAME_PX} className={styles.picture} />
            </button>
          )
        })}
      </div>
    </nav>
  )
}
