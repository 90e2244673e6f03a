import { Download, Info, ListChecks, ListFilter, Share2, Star, Upload } from 'lucide-react'
import { Suspense, useMemo, useSyncExternalStore } from 'react'
import type { Sorting } from '../../../../shared/contract/users.ts'
import { isWhole, type Listing, sizeOfFiles } from '../../../data/listing.ts'
import type { View } from '../../../data/view.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { ActionName } from '../offers.ts'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { menuEntries } from '../menu-entries.tsx'
import type { Selection } from '../../../data/selection.ts'
import styles from './listing-header.module.css'
import { SortMenu } from './sort-menu.tsx'
import { ViewSwitch } from './view-switch.tsx'

/** One does without it until it is here. */
const HeaderMenu = lazyPart(async () => (await import('./header-menu.tsx').catch(() => null))?.HeaderMenu ?? (() => null))

const ICON = { size: 19, strokeWidth: 1.75 }

export interface ListingHeaderProps {
  listing: Listing
  selection: Selection
  view: View
  phone: boolean
  offered: (action: ActionName) => boolean
  onAction: (action: ActionName) => void
  onView: (view: View) => void
  onSort: (by: Sorting['by']) => void
}

/** Where one is, what is there, and what can be done with the folder itself. */
export function ListingHeader({ listing, selection, view, phone, offered, onAction, onView, onSort }: ListingHeaderProps) {
  const multiple = useSyncExternalStore(selection.subscribe, () => selection.multiple)
  const shareable = useSyncExternalStore(selection.subscribe, () => offered('share'))
  const star = useSyncExternalStore(selection.subscribe, () => (offered('star') ? 'star' : offered('unstar') ? 'unstar' : null))
  const size = useMemo(() => sizeOfFiles(listing), [listing])
  return (
    <header className={styles.header} data-part="listing-header">
      <div className={styles.top}>
        <Breadcrumbs path={listing.path} />
        <div className={styles.tools}>
          {offered('upload-files') && !phone && (
            <Menu
              label={t('files.upload')}
              align="end"
              entries={menuEntries([['upload-files', 'upload-folder']], { offered, onAction })}
              trigger={(props) => <IconButton {...props} label={t('files.upload')} icon={<Upload {...ICON} />} />}
            />
          )}
          {!phone && offered('download') && (
            <IconButton label={t('files.action.download')} icon={<Download {...ICON} />} onClick={() => onAction('download')} />
          )}
          {!phone && shareable && (
            <IconButton label={t('files.action.share')} icon={<Share2 {...ICON} />} onClick={() => onAction('share')} />
          )}
          {!phone && star !== null && <StarButton action={star} onAction={onAction} />}
          {!phone && <IconButton label={t('files.action.info')} icon={<Info {...ICON} />} onClick={() => onAction('info')} />}
          {!phone && (
            <IconButton
              label={t('files.action.select-multiple')}
              icon={<ListChecks {...ICON} />}
              pressed={multiple}
              onClick={() => onAction('select-multiple')}
            />
          )}
          {!phone && (
            <IconButton
              label={t('files.action.filter')}
              shortcut="/"
              icon={<ListFilter {...ICON} />}
              aria-keyshortcuts="/"
              onClick={() => onAction('filter')}
            />
          )}
          <ViewSwitch view={view} onView={onView} />
          <span className={styles.menu}>
            <Suspense>
              <HeaderMenu phone={phone} offered={offered} onAction={onAction} />
            </Suspense>
          </span>
        </div>
      </div>
      <div className={styles.meta}>
        <p>
          <span>{t('files.meta', { folders: listing.numDirs, files: listing.numFiles })}</span>
          {listing.numFiles > 0 && isWhole(listing) && (
            <>
              <span aria-hidden> · </span>
              <bdi>{formatBytes(size)}</bdi>
            </>
          )}
        </p>
        {(phone || view !== 'list') && listing.names.length > 0 && <SortMenu sorting={listing.sorting} onSort={onSort} />}
      </div>
    </header>
  )
}

/** As what it would do: the star is full where it would be taken away. */
function StarButton({ action, onAction }: { action: 'star' | 'unstar'; onAction: (action: ActionName) => void }) {
  const starred = action === 'unstar'
  return (
    <IconButton
      label={t(`files.action.${action}`)}
      shortcut="*"
      icon={<Star {...ICON} fill={starred ? 'currentColor' : 'none'} />}
      className={starred ? styles.starred : undefined}
      aria-keyshortcuts="*"
      onClick={() => onAction(action)}
    />
  )
}
