import type { Sorting } from '../../../../shared/contract/users.ts'
import { isAscending } from '../../../data/listing-order.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Arrow, COLUMNS } from './column-head.tsx'
import styles from './listing-header.module.css'

/** Sort menu for layouts without column headers; the current column reverses the order. */
export function SortMenu({ sorting, onSort }: { sorting: Sorting; onSort: (by: Sorting['by']) => void }) {
  const direction = isAscending(sorting) ? t('files.sort.ascending') : t('files.sort.descending')
  return (
    <Menu
      label={t('files.sort')}
      align="end"
      entries={COLUMNS.map((by) => ({
        kind: 'action',
        id: by,
        label: t(`files.column.${by}`),
        checked: sorting.by === by,
        onSelect: () => onSort(by),
      }))}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className={styles.sort}
          aria-label={`${t('files.sort')}: ${t(`files.column.${sorting.by}`)}, ${direction}`}
          data-part="sort"
        >
          {t(`files.column.${sorting.by}`)} <Arrow sorting={sorting} />
        </button>
      )}
    />
  )
}
