import { Download, Info, ListChecks, Share2, Upload } from 'lucide-react'
import { useMemo, useSyncExternalStore } from 'react'
import type { Sorting, ViewMode } from '../../../../shared/contract/users.ts'
import { type Listing, sizeOfFiles } from '../../../data/listing.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { ActionName } from '../actions.ts'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { menuEntries } from '../menu-entries.tsx'
import type { Selection } from '../../../data/selection.ts'
import styles from './listing-header.module.css'
import { SortMenu } from './sort-menu.tsx'
import { ViewSwitch } from './view-switch.tsx'

const ICON = { size: 19, strokeWidth: 1.75 }

export interface ListingHeaderProps {
  listing: Listing
  selection: Selection
  view: ViewMode
  phone: boolean
  offered: (action: ActionName) => boolean
  onAction: (action: ActionName) => void
  onView: (view: ViewMode) => void
  onSort: (by: Sorting['by']) => void
}

/** Where one is, what is there, and what can be done with the folder itself. */
export function ListingHeader({ listing, selection, view, phone, offered, onAction, onView, onSort }: ListingHeaderProps) {
  const multiple = useSyncExternalStore(selection.subscribe, () => selection.multiple)
  const shareable = useSyncExternalStore(selection.subscribe, () => offered('share'))
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
          {!phone && <IconButton label={t('files.action.info')} icon={<Info {...ICON} />} onClick={() => onAction('info')} />}
          {!phone && (
            <IconButton
              label={t('files.action.select-multiple')}
              icon={<ListChecks {...ICON} />}
              pressed={multiple}
              onClick={() => onAction('select-multiple')}
            />
          )}
          <ViewSwitch view={view} onView={onView} />
        </div>
      </div>
      <div className={styles.meta}>
        <p>
          <span>{t('files.meta', { folders: listing.numDirs, files: listing.numFiles })}</span>
          {listing.numFiles > 0 && (
            <>
              <span aria-hidden> · </span>
              <bdi>{formatBytes(size)}</bdi>
            </>
          )}
        </p>
        {(phone || view === 'mosaic') && listing.names.length > 0 && <SortMenu sorting={listing.sorting} onSort={onSort} />}
      </div>
    </header>
  )
}
