import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import { reordering, useFavourites } from '../../data/favourites.ts'
import { urlFromPath } from '../../data/paths.ts'
import { t } from '../../i18n/i18n.tsx'
import { Link, useLocation } from '../../router/router.tsx'
import { classes } from '../../ui/classes.ts'
import { useTablet } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { useSortable } from '../../widgets/use-sortable.ts'
import rail from '../sidebar-item.module.css'
import { withOrder } from './with-order.ts'
import styles from './pinned-folders.module.css'

/** Favourite folders in the sidebar, sortable; they are also drop targets. */
export function PinnedFolders({ onChoice }: { onChoice?: () => void }) {
  const { mutate } = useMutation(reordering(useQueryClient()))
  const { pathname } = useLocation()
  const tablet = useTablet()
  const favourites = useFavourites()
  const title = useId()
  const list = useRef<HTMLUListElement>(null)
  const folders = favourites.filter(({ isDir }) => isDir).map(({ path }) => path)
  const { paths, dragged, announcement, grab, handlers } = useSortable(list, {
    paths: folders,
    onOrder: (order) => mutate(withOrder(favourites, order)),
  })
  if (folders.length === 0) return null
  return (
    <section className="grid one-column gap-2 border-above pad-above-5" aria-labelledby={title} data-part="pinned">
      <h2 id={title} className={styles.title}>
        {t('sidebar.pinned')}
      </h2>
      <ul ref={list} className={styles.list} data-dragging={dragged !== null || undefined} {...handlers}>
        {paths.map((path) => {
          const name = displayName(nameOf(path))
          const to = urlFromPath(path, { folder: true })
          return (
            <li key={path} data-order={path} data-dragged={path === dragged || undefined} onPointerDown={(event) => grab(event, path)}>
              <Link
                to={to}
                className={classes(rail.item, styles.item)}
                aria-current={pathname === to ? 'location' : undefined}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                title={tablet ? undefined : displayName(path)}
                data-tooltip={tablet ? name : undefined}
                data-drop={path}
                draggable={false}
                onClick={onChoice}
              >
                <EntryIcon name={nameOf(path)} type="" isDir size={20} />
                <bdi className={styles.label}>{name}</bdi>
              </Link>
            </li>
          )
        })}
      </ul>
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </section>
  )
}
