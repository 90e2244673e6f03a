import { ArrowDown, ArrowUp, UnfoldVertical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { createMergeView, type TextMerge } from './merge-view.ts'
import styles from './text-comparison.module.css'

export interface TextComparisonProps {
  name: string
  before: string
  /** The present text. */
  after: string
}

/** Two texts side by side, on phones in one column, with the lines that differ. */
export function TextComparison({ name, before, after }: TextComparisonProps) {
  const phone = usePhone()
  const parent = useRef<HTMLDivElement>(null)
  const merge = useRef<TextMerge | null>(null)
  const [whole, setWhole] = useState(false)
  const [changes, setChanges] = useState(0)
  // The editors live outside React.
  useEffect(() => {
    if (parent.current === null) return
    const labels = { before: `${name}, ${t('versions.this')}`, after: `${name}, ${t('versions.current')}` }
    const phrases = { '$ unchanged lines': t('versions.unchanged') }
    const view = createMergeView({ parent: parent.current, name, before, after, labels, phrases, columns: phone ? 1 : 2, whole })
    merge.current = view
    setChanges(view.changes)
    return () => view.destroy()
  }, [name, before, after, phone, whole])
  return (
    <div className={styles.comparison} data-part="comparison">
      <div className={styles.bar}>
        {!phone && <span className={styles.side}>{t('versions.this')}</span>}
        {!phone && <span className={styles.side}>{t('versions.current')}</span>}
        <div className={styles.tools}>
          <p className="muted text-caption" role="status">
            {changes === 0 ? t('versions.same') : t('versions.changes', { count: changes, number: formatNumber(changes) })}
          </p>
          <IconButton
            size="small"
            label={t('versions.previous-change')}
            icon={ArrowUp}
            disabled={changes === 0}
            onClick={() => merge.current?.previous()}
          />
          <IconButton
            size="small"
            label={t('versions.next-change')}
            icon={ArrowDown}
            disabled={changes === 0}
            onClick={() => merge.current?.next()}
          />
          <IconButton size="small" label={t('versions.all-lines')} icon={UnfoldVertical} pressed={whole} onClick={() => setWhole(!whole)} />
        </div>
      </div>
      <div ref={parent} className={styles.texts} dir="ltr" />
    </div>
  )
}
