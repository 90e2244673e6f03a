import { useSyncExternalStore } from 'react'
import type { Selection } from '../../data/selection.ts'
import { t } from '../../i18n/i18n.tsx'
import { CheckboxInput } from '../../ui/checkbox.tsx'
import styles from './trash-grid.module.css'

export interface TrashHeadProps {
  selection: Selection
  count: number
  order: Uint32Array
  who: boolean
}

/** Column headers. The newest are first, always. */
export function TrashHead({ selection, count, order, who }: TrashHeadProps) {
  const chosen = useSyncExternalStore(selection.subscribe, () => selection.count)
  const all = chosen > 0 && chosen === count
  return (
    <div role="row" className={styles.head} aria-rowindex={1} data-part="column-head">
      <div role="columnheader" className={styles.check} data-some={chosen > 0 || undefined}>
        <label className={styles.hit} data-own-click>
          <CheckboxInput
            tabIndex={-1}
            checked={all}
            mixed={!all && chosen > 0}
            aria-label={t('files.action.select-all')}
            onChange={() => (all ? selection.clear() : selection.all(order))}
          />
        </label>
      </div>
      <div role="columnheader">{t('files.column.name')}</div>
      <div role="columnheader" data-column="from">
        {t('trash.column.from')}
      </div>
      <div role="columnheader" aria-sort="descending" data-column="deleted">
        {t('trash.column.deleted')}
      </div>
      {who && (
        <div role="columnheader" data-column="who">
          {t('trash.column.who')}
        </div>
      )}
      <div role="columnheader" data-column="size">
        {t('files.column.size')}
      </div>
      <div role="columnheader" data-column="left">
        {t('trash.column.left')}
      </div>
      <div role="columnheader">
        <span className="sr-only">{t('files.column.actions')}</span>
      </div>
    </div>
  )
}
