import type { QueryClient } from '@tanstack/react-query'
import { nameOf, ROOT } from '../../../shared/file-path.ts'
import { type FavouriteEntry, starring } from '../../data/favourites.ts'
import { notify } from '../../data/notices.ts'
import { mutate } from '../../data/query.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'

export type StarSubject = Pick<FavouriteEntry, 'path' | 'isDir' | 'modified'> & { isLink?: boolean; size?: number }

/** Adds or removes favourites and shows a notice. */
export function star(queries: QueryClient, subjects: readonly StarSubject[], starred: boolean): void {
  const entries = subjects.map(({ path, isDir, modified, isLink = false, size = 0 }) => ({
    path,
    isDir,
    modified,
    size,
    isSymlink: isLink,
  }))
  const about = { count: entries.length, name: displayName(nameOf(entries[0]?.path ?? ROOT)) }
  const onSuccess = () => notify({ tone: 'success', text: t(starred ? 'files.star.done' : 'files.unstar.done', about) })
  mutate(queries, { ...starring(queries), onSuccess }, { entries, starred })
}
