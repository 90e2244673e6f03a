import { useEffect, useId, useRef } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { PastEntry, PastGesture } from '../../../data/gestures.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './activity.module.css'
import { type Day, daysOf } from './days.ts'
import { GestureRow } from './gesture-row.tsx'
import { OutsideRow } from './outside-row.tsx'

export interface TimelineProps {
  entries: readonly PastEntry[]
  /** The file or folder whose activity this is. */
  path: FilePath
  /** Follows a link to an address of this application. */
  onGo: (url: string) => void
  onUndo: (gesture: PastGesture) => void
  /** Null if this is no folder, or the user may not change anything. */
  onRewind: ((gesture: PastGesture) => void) | null
}

/** Gestures and what other programs changed, by day, the newest first. */
export function Timeline({ entries, ...rest }: TimelineProps) {
  return (
    <div className={styles.days} data-part="timeline">
      {daysOf(entries).map((day) => (
        <DaySection key={day.title} day={day} {...rest} />
      ))}
    </div>
  )
}

function DaySection({ day: { title, entries }, path, onGo, onUndo, onRewind }: Omit<TimelineProps, 'entries'> & { day: Day }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.day}>
        {title}
      </h3>
      <ol className={styles.gestures} aria-labelledby={id}>
        {entries.map((entry) =>
          'group' in entry ? (
            <GestureRow
              key={entry.group}
              gesture={entry}
              path={path}
              onGo={onGo}
              onUndo={() => onUndo(entry)}
              onRewind={onRewind && (() => onRewind(entry))}
            />
          ) : (
            <OutsideRow key={entry.id} outside={entry} path={path} onGo={onGo} />
          ),
        )}
      </ol>
    </section>
  )
}

export interface MoreProps {
  /** Changes with each page; a page may be empty. */
  pages: number
  loading: boolean
  /** The last attempt has failed: only the button tries again. */
  failed: boolean
  onMore: () => void
}

/** Loads the next page when it comes into view, or by its button. */
export function More({ pages, loading, failed, onMore }: MoreProps) {
  const end = useRef<HTMLDivElement>(null)
  // Observes anew after each page, because an empty one does not move the end out of view.
  useEffect(() => {
    if (end.current === null || failed) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && onMore(), { rootMargin: '200px' })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [pages, failed, onMore])
  return (
    <div ref={end}>
      <Button size="small" label={t(failed ? 'action.retry' : 'activity.more')} busy={loading} onClick={onMore} />
    </div>
  )
}
