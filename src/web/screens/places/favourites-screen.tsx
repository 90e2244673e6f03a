import { useMutation, useQueryClient } from '@tanstack/react-query'
import { GripVertical, Star } from 'lucide-react'
import { useRef } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import { type FavouriteEntry, reordering } from '../../data/favourites.ts'
import { formatBytes } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { keysText } from '../../i18n/keys.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { useSortable } from '../../widgets/use-sortable.ts'
import line from '../../widgets/containing-folder.module.css'
import { ListPage, QueryResult } from './frame.tsx'
import { EntryListRow } from './place-row.tsx'
import styles from './places.module.css'
import { StarButton } from './star-button.tsx'
import { useFavouritesQuery } from './use-places.ts'

/** Favourites in the user's order. */
export function FavouritesScreen() {
  const places = useFavouritesQuery()
  const text = (places.data?.favourites.length ?? 0) > 0 ? t('favourites.text') : undefined
  return (
    <ListPage title={t('title.favourites')} text={text} part="favourites">
      <QueryResult query={places}>
        {({ favourites }) =>
          favourites.length === 0 ? (
            <EmptyState
              picture={<Star size={64} strokeWidth={1.25} />}
              title={t('favourites.empty.title')}
              text={t('favourites.empty.text')}
            />
          ) : (
            <FavouriteList favourites={favourites} />
          )
        }
      </QueryResult>
    </ListPage>
  )
}

function FavouriteList({ favourites }: { favourites: readonly FavouriteEntry[] }) {
  const { mutate } = useMutation(reordering(useQueryClient()))
  const list = useRef<HTMLUListElement>(null)
  const { paths, dragged, announcement, grab, handlers } = useSortable(list, {
    paths: favourites.map(({ path }) => path),
    onOrder: mutate,
  })
  const known = new Map(favourites.map((one) => [one.path, one]))
  return (
    <>
      <ul ref={list} className={styles.list} aria-label={t('title.favourites')} data-dragging={dragged !== null || undefined} {...handlers}>
        {paths
          .flatMap((path) => known.get(path) ?? [])
          .map((entry) => (
            <li
              key={entry.path}
              className={classes(line.line, styles.row)}
              data-order={entry.path}
              data-dragged={entry.path === dragged || undefined}
            >
              <EntryListRow
                entry={entry}
                fact={entry.isDir ? undefined : <bdi>{formatBytes(entry.size)}</bdi>}
                handle={
                  paths.length > 1 && (
                    <button
                      type="button"
                      className={styles.handle}
                      aria-label={t('places.move', { name: displayName(nameOf(entry.path)) })}
                      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                      data-tooltip={t('places.move.short')}
                      data-tooltip-shortcut={keysText('Alt', '↑', '↓')}
                      onPointerDown={(event) => grab(event, entry.path, { atOnce: true })}
                    >
                      <GripVertical size={18} strokeWidth={1.75} aria-hidden />
                    </button>
                  )
                }
              >
                <StarButton entry={entry} starred />
              </EntryListRow>
            </li>
          ))}
      </ul>
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </>
  )
}
