import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Moment } from '../../../data/snapshots.ts'
import { formatDateExact, formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import styles from '../versions/version-list.module.css'

export interface MomentListProps {
  /** The newest first. */
  moments: readonly Moment[]
  /** Snapshots that were not looked at. */
  unknown: number
  chosen: string
  onChoose: (id: string) => void
  /** Shows the chosen one, where that is not beside the list. */
  onOpen: (() => void) | null
}

/** Snapshots of a folder: arrow keys choose. */
export function MomentList({ moments, unknown, chosen, onChoose, onOpen }: MomentListProps) {
  const list = useRef<HTMLUListElement>(null)
  const at = moments.findIndex(({ id }) => id === chosen)
  const isNew = useRef(true)
  // The focus begins at the choice, and follows it while it is in the list.
  useEffect(() => {
    if (isNew.current || list.current?.contains(document.activeElement) === true)
      list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    isNew.current = false
  }, [chosen])

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: moments.length - 1 }[event.key]
    const next = to === undefined ? undefined : moments[to]
    if (next !== undefined) onChoose(next.id)
    else if ((event.key === 'Enter' || event.key === ' ') && onOpen !== null) onOpen()
    else if (to === undefined) return
    event.preventDefault()
  }
  return (
    <div className={styles.side}>
      <ul ref={list} className={styles.list} role="listbox" aria-label={t('files.action.snapshots')} onKeyDown={onKeyDown}>
        {moments.map(({ id, name, at: time }) => (
          <li
            key={id}
            role="option"
            className={styles.version}
            aria-selected={id === chosen}
            tabIndex={id === chosen ? 0 : -1}
            data-autofocus={id === chosen || undefined}
            title={formatDateExact(time)}
            onClick={() => {
              onChoose(id)
              onOpen?.()
            }}
          >
            <bdi className={styles.when}>{formatDateTime(time)}</bdi>
            <bdi className={styles.replaced}>{name}</bdi>
          </li>
        ))}
      </ul>
      {unknown > 0 && (
        <p className={styles.policy} role="status">
          {t('snapshots.unknown')}
        </p>
      )}
    </div>
  )
}
