import { Images, LayoutGrid, List, PanelRight, Upload } from 'lucide-react'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'
import type { Sorting } from '../../../../shared/contract/users.ts'
import { isComplete, type Listing, sizeOfFiles } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'
import type { View } from '../../../data/view.ts'
import { formatCounts } from '../../../i18n/counts.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { ActionName } from '../action-rules.ts'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { type ActionProps, menuEntries } from '../menu-entries.ts'
import { shortcutText } from '../shortcuts.ts'
import { HeaderMenu } from './header-menu.tsx'
import styles from './listing-header.module.css'
import { SortMenu } from './sort-menu.tsx'

const ICON = { size: 19, strokeWidth: 1.75 }

export interface ListingHeaderProps {
  listing: Listing
  selection: Selection
  /** For the heading. */
  name: string
  view: View
  phone: boolean
  /** Whether the details pane is open. */
  detailed: boolean
  available: (action: ActionName) => boolean
  onAction: (action: ActionName) => void
  textOf: ActionProps['textOf']
  onDetails: () => void
  onView: (view: View) => void
  onSort: (by: Sorting['by']) => void
  /** Replaces the second line while entries are selected; placed elsewhere on phones. */
  selectionBar: ReactNode
}

/** Breadcrumbs, counts and folder actions. The layout does not shift when entries are selected. */
export function ListingHeader(props: ListingHeaderProps) {
  const { listing, selection, name, view, phone, detailed, available, onAction, textOf, onDetails, onView, onSort, selectionBar } = props
  const selecting = useSyncExternalStore(selection.subscribe, () => selection.count > 0 || selection.multiple)
  const barred = selecting && !phone
  return (
    <header className={styles.header} data-part="listing-header">
      <h1 className="sr-only">{name}</h1>
      <div className={styles.top}>
        <Breadcrumbs path={listing.path} />
        <div className={styles.tools}>
          {available('upload-files') && !phone && (
            <Menu
              label={t('files.upload')}
              align="end"
              entries={menuEntries([['upload-files', 'upload-folder']], { available, onAction })}
              trigger={(trigger) => (
                <Button label={t('files.upload')} {...trigger} variant="primary" className={styles.upload} icon={Upload} iconSize={19} />
              )}
            />
          )}
          <ViewSwitch view={view} onView={onView} />
          {!phone && (
            <IconButton
              label={t('files.action.info')}
              shortcut={shortcutText('info')}
              icon={<PanelRight {...ICON} className="mirror" />}
              pressed={detailed}
              onClick={onDetails}
            />
          )}
          <span className={styles.menu}>
            <HeaderMenu phone={phone} available={available} onAction={onAction} textOf={textOf} />
          </span>
        </div>
      </div>
      <div className={styles.meta}>
        {!phone && selectionBar}
        {!barred && <Meta listing={listing} />}
        {!barred && (phone || view !== 'list') && listing.names.length > 0 && <SortMenu sorting={listing.sorting} onSort={onSort} />}
      </div>
    </header>
  )
}

function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
  return (
    <Segmented
      label={t('files.view')}
      value={view}
      options={[
        { value: 'list', label: t('files.view.list'), icon: <List size={18} strokeWidth={1.75} /> },
        { value: 'mosaic', label: t('files.view.mosaic'), icon: <LayoutGrid size={18} strokeWidth={1.75} /> },
        { value: 'gallery', label: t('files.view.gallery'), icon: <Images size={18} strokeWidth={1.75} /> },
      ]}
      onValue={onView}
    />
  )
}

function Meta({ listing }: { listing: Listing }) {
  const size = useMemo(() => sizeOfFiles(listing), [listing])
  return (
    <p>
      <span>{formatCounts({ folders: listing.numDirs, files: listing.numFiles })}</span>
      {listing.numFiles > 0 && isComplete(listing) && (
        <>
          <span aria-hidden> · </span>
          <bdi>{formatBytes(size)}</bdi>
        </>
      )}
    </p>
  )
}
