import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Clock, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import { notify } from '../../data/notices.ts'
import { keepingRecent } from '../../data/favourites.ts'
import { mutate } from '../../data/query.ts'
import { clearingRecent, type RecentEntry, removingRecent, restoringRecent, useRecentFiles } from '../../data/recent-files.ts'
import { clearRecentFolders } from '../../data/recent-folders.ts'
import { keyNames } from '../../i18n/keys.ts'
import { formatDate, formatDateExact } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { displayName } from '../../widgets/display-name.ts'
import line from '../../widgets/containing-folder.module.css'
import { ListPage, QueryResult } from './frame.tsx'
import { EntryListRow } from './place-row.tsx'
import styles from './places.module.css'
import { StarButton } from './star-button.tsx'
import { useFavouritesQuery } from './use-places.ts'

/** Recently used files. */
export function RecentScreen() {
  const queries = useQueryClient()
  const recent = useRecentFiles()
  const { data: places } = useFavouritesQuery()
  const stars = new Set(places?.favourites.map(({ path }) => path))
  const keep = useMutation(keepingRecent(queries))
  const clear = useMutation({ ...clearingRecent(queries), onMutate: clearRecentFolders })
  const leave = (file: RecentEntry) => {
    const actions = [{ label: t('action.undo'), run: () => mutate(queries, restoringRecent(queries), file) }]
    const onSuccess = () => notify({ tone: 'success', text: t('recent.left', { name: displayName(nameOf(file.path)) }), actions })
    mutate(queries, { ...removingRecent(queries), onSuccess }, file)
  }
  const filled = (recent.data?.length ?? 0) > 0
  return (
    <ListPage
      title={t('title.recent')}
      text={filled ? t('recent.text') : undefined}
      tools={filled && <Button label={t('recent.clear')} onClick={() => clear.mutate()} />}
      part="recent"
    >
      <QueryResult query={recent}>
        {(files) =>
          places?.keepsRecent === false ? (
            <EmptyState picture={<Clock size={64} strokeWidth={1.25} />} title={t('recent.off.title')} text={t('recent.off.text')}>
              <Button label={t('recent.off.on')} onClick={() => keep.mutate(true)} />
            </EmptyState>
          ) : files.length === 0 ? (
            <EmptyState picture={<Clock size={64} strokeWidth={1.25} />} title={t('recent.empty.title')} text={t('recent.empty.text')} />
          ) : (
            <ul className={styles.list} aria-label={t('title.recent')}>
              {files.map((file) => (
                <li key={file.path} className={classes(line.line, styles.row)} onKeyDown={onDelete(() => leave(file))}>
                  <EntryListRow
                    entry={file}
                    fact={<When file={file} />}
                    action={{
                      label: t('recent.leave.short'),
                      named: t('recent.leave', { name: displayName(nameOf(file.path)) }),
                      icon: <X size={18} strokeWidth={1.75} />,
                      keys: 'Delete',
                      shortcut: keyNames(['Delete'])[0],
                      onSelect: () => leave(file),
                    }}
                  >
                    <StarButton entry={file} starred={stars.has(file.path)} />
                  </EntryListRow>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </ListPage>
  )
}

/** Delete, with focus anywhere in the row. */
function onDelete(action: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    action()
  }
}

function When({ file: { how, at } }: { file: RecentEntry }) {
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={formatDateExact(date)}>
      <bdi>{t(`recent.${how}`, { when: formatDate(date) })}</bdi>
    </time>
  )
}
