import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment, useSyncExternalStore } from 'react'
import type { Sorting } from '../../../../shared/contract/users.ts'
import { isAscending } from '../../../data/listing-order.ts'
import { t } from '../../../i18n/i18n.tsx'
import { isComplete, type Listing } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'
import styles from './column-head.module.css'
import { ColumnResizer } from './column-resizer.tsx'
import { SelectBox } from './select-box.tsx'

export const COLUMNS = ['name', 'size', 'modified'] as const satisfies Sorting['by'][]

export interface ColumnHeadProps {
  listing: Listing
  selection: Selection
  /** Whether there is a type column. */
  typed: boolean
  onSort: (by: Sorting['by']) => void
}

/** Column headers: three sortable columns, the type where there is room, and the select-all checkbox. */
export function ColumnHead({ listing, selection, typed, onSort }: ColumnHeadProps) {
  const { sorting, order } = listing
  useSyncExternalStore(selection.subscribe, () => selection.count)
  const all = selection.count > 0 && selection.count === order.length
  return (
    <div role="row" className={styles.head} aria-rowindex={1} data-part="column-head">
      <div role="columnheader" className={styles.check} data-some={selection.count > 0 || undefined}>
        <SelectBox
          label={t('files.action.select-all')}
          checked={all}
          mixed={!all && selection.count > 0}
          disabled={!isComplete(listing)}
          onToggle={() => (all ? selection.clear() : selection.all(order))}
        />
      </div>
      {COLUMNS.map((by) => (
        <Fragment key={by}>
          {typed && by === 'size' && (
            <div role="columnheader" className={styles.column} data-column="type">
              {t('files.column.type')}
            </div>
          )}
          <div role="columnheader" className={styles.column} aria-sort={sortOf(sorting, by)} data-column={by}>
            <button type="button" className={styles.sort} onClick={() => onSort(by)}>
              {t(`files.column.${by}`)}
              {sorting.by === by && <Arrow sorting={sorting} />}
            </button>
            {by !== 'name' && <ColumnResizer column={by} />}
          </div>
        </Fragment>
      ))}
      <div role="columnheader">
        <span className="sr-only">{t('files.column.actions')}</span>
      </div>
    </div>
  )
}

export function Arrow({ sorting }: { sorting: Sorting }) {
  const Icon = isAscending(sorting) ? ArrowUp : ArrowDown
  return <Icon size={15} strokeWidth={2} aria-hidden />
}

function sortOf(sorting: Sorting, by: Sorting['by']): 'ascending' | 'descending' | undefined {
  if (sorting.by !== by) return undefined
  return isAscending(sorting) ? 'ascending' : 'descending'
}
