import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { VersionPolicy } from '../../../../shared/contract/versions.ts'
import type { FileContent } from '../../../data/versions.ts'
import { formatBytes, formatDate, formatDateExact, formatDateTime, formatPercent } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import styles from './version-list.module.css'

export interface VersionListProps {
  /** The present content first. */
  contents: readonly FileContent[]
  policy: VersionPolicy
  unknownSnapshots: number
  chosen: string | null
  onChoose: (id: string | null) => void
  /** Shows the chosen one, where that is not beside the list. */
  onOpen: (() => void) | null
  /** Deletes the chosen one; null if it cannot be deleted. */
  onDelete: (() => void) | null
}

/** The versions of a file: arrow keys choose. */
export function VersionList({ contents, policy, unknownSnapshots, chosen, onChoose, onOpen, onDelete }: VersionListProps) {
  const list = useRef<HTMLUListElement>(null)
  const at = contents.findIndex(({ id }) => id === chosen)
  const isNew = useRef(true)
  // The focus begins at the choice and follows it while it is in the list; it returns when what had it is gone.
  useEffect(() => {
    const { activeElement } = document
    const takesFocus = isNew.current || activeElement === document.body || list.current?.contains(activeElement) === true
    if (takesFocus) list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    isNew.current = false
  }, [chosen, contents.length])

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: contents.length - 1 }[event.key]
    const next = to === undefined ? undefined : contents[to]
    if (next !== undefined) onChoose(next.id)
    else if (event.key === 'Delete' && onDelete !== null) onDelete()
    else if ((event.key === 'Enter' || event.key === ' ') && onOpen !== null) onOpen()
    else if (to === undefined) return
    event.preventDefault()
  }
  return (
    <div className={styles.side}>
      <ul ref={list} className={styles.list} role="listbox" aria-label={t('versions.list')} onKeyDown={onKeyDown}>
        {contents.map((content) => (
          <li
            key={content.id}
            role="option"
            className={styles.version}
            aria-selected={content.id === chosen}
            tabIndex={content.id === chosen ? 0 : -1}
            data-autofocus={content.id === chosen || undefined}
            title={formatDateExact(content.modified)}
            onClick={() => {
              onChoose(content.id)
              onOpen?.()
            }}
          >
            <Version content={content} />
          </li>
        ))}
      </ul>
      {unknownSnapshots > 0 && (
        <p className={styles.policy} role="status">
          {t('snapshots.unknown')}
        </p>
      )}
      {policy.days > 0 && (
        <p className={styles.policy}>{t('versions.kept', { count: policy.days, share: formatPercent(policy.share / 100) })}</p>
      )}
    </div>
  )
}

function Version({ content: { replaced, modified, size, snapshot } }: { content: FileContent }) {
  return (
    <>
      {replaced === null && <span className={styles.current}>{t('versions.current')}</span>}
      <span className={styles.line}>
        <bdi className={styles.when}>{formatDateTime(modified)}</bdi>
        <bdi className="muted text-caption">{formatBytes(size)}</bdi>
      </span>
      {replaced !== null && (
        <span className={styles.replaced}>
          {snapshot !== null
            ? t('versions.snapshot', { name: `\u2068${snapshot}\u2069` })
            : replaced.by === ''
              ? t('versions.replaced')
              : t('versions.replaced-by', { name: `\u2068${replaced.by}\u2069` })}
          {' · '}
          <bdi>{formatDate(replaced.at)}</bdi>
        </span>
      )}
    </>
  )
}
