import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { PastGesture, useGestures } from '../../../data/gestures.ts'
import { BEGINNING } from '../../../data/rewind.ts'
import { formatDateExact, formatDateTime } from '../../../i18n/format.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import { kindOf, namedTitle, personOf } from './gesture-words.ts'
import { KindIcon } from './kind-icon.tsx'
import styles from './rewind.module.css'
import { More } from './timeline.tsx'

export interface MomentListProps {
  found: ReturnType<typeof useGestures>
  to: string | null
  onTo: (to: string) => void
}

/** The gestures below a folder: what is chosen is kept, what is above it is undone. Arrow keys choose. */
export function MomentList({ found, to, onTo }: MomentListProps) {
  const { gestures, error, hasMore } = found
  const list = useRef<HTMLUListElement>(null)
  const moments = [...(gestures ?? []).map(({ at }) => at), BEGINNING]
  const at = to === null ? -1 : moments.indexOf(to)
  // The focus follows the choice while it is in the list.
  useEffect(() => {
    if (list.current?.contains(document.activeElement) === true) list.current.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
  }, [to])

  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: moments.length - 1 }[event.key]
    const moment = next === undefined ? undefined : moments[next]
    if (moment !== undefined) onTo(moment)
    if (next !== undefined) event.preventDefault()
  }
  if (gestures === undefined) {
    if (error === null) return <Loading height="160px" size={24} tone="faint" />
    return (
      <div role="alert" className="grid gap-4 items-start">
        <p className="text-small">{errorText(error)}</p>
        <Button size="small" label={t('action.retry')} onClick={() => void found.refetch()} />
      </div>
    )
  }
  const option = (moment: string, index: number) => ({
    role: 'option',
    'aria-selected': index === at,
    tabIndex: index === Math.max(0, at) ? 0 : -1,
    className: styles.moment,
    onClick: () => onTo(moment),
  })
  return (
    <div className={styles.moments}>
      <p id="rewind-moments" className="muted text-small">
        {t('rewind.last-kept')}
      </p>
      <div className={styles.list}>
        <ul ref={list} role="listbox" aria-labelledby="rewind-moments" onKeyDown={onKeyDown}>
          {gestures.map((gesture, index) => (
            <li
              key={gesture.group}
              {...option(gesture.at, index)}
              data-undone={(at >= 0 && index < at) || undefined}
              title={formatDateExact(new Date(gesture.at))}
            >
              <Moment gesture={gesture} isUndone={index < at} />
            </li>
          ))}
          <li {...option(BEGINNING, moments.length - 1)}>
            <span className="text-small">{t('rewind.beginning')}</span>
          </li>
        </ul>
        {hasMore && <More pages={found.pages} loading={found.loading} failed={found.failed} onMore={found.loadMore} />}
      </div>
    </div>
  )
}

function Moment({ gesture, isUndone }: { gesture: PastGesture; isUndone: boolean }) {
  return (
    <>
      <span className={styles.momentIcon}>
        <KindIcon kind={kindOf(gesture)} />
      </span>
      <span className="grid gap-1 shrinkable">
        <span className={styles.momentTitle}>
          <bdi>{namedTitle(gesture)}</bdi>
          {isUndone && <span className="sr-only"> – {t('rewind.is-undone')}</span>}
        </span>
        <span className="faint text-caption break-anywhere">
          <bdi>{personOf(gesture)}</bdi> · <bdi>{formatDateTime(new Date(gesture.at))}</bdi>
        </span>
      </span>
    </>
  )
}
