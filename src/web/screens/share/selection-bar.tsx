import { X } from 'lucide-react'
import { type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { archiveAddress } from '../../data/downloads.ts'
import { entryOf, type Listing, sizeOfFiles } from '../../data/listing.ts'
import { ask } from '../../data/prompts.ts'
import type { Selection } from '../../data/selection.ts'
import { startDownload } from '../../data/start-download.ts'
import { sharedDownload } from '../../data/shared-resource.ts'
import { formatBytes, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { classes } from '../../ui/classes.ts'
import styles from './selection-bar.module.css'

export interface SelectionBarProps {
  share: { readonly hash: string; readonly name: string }
  folder: Listing
  selection: Selection
  /** Further actions of the visitor. */
  actions: ReactNode
}

/** Fixed at the bottom while entries are selected. */
export function SelectionBar({ share, folder, selection, actions }: SelectionBarProps) {
  useSyncExternalStore(selection.subscribe, () => selection.version)
  const { count } = selection
  const chosen = [...selection.chosen()].filter((index) => index < folder.names.length).map((index) => entryOf(folder, index))
  // Broken links cannot be downloaded and are left out of archives.
  const readable = chosen.filter(({ type }) => type !== 'invalid_link')
  const size = count === 0 ? 0 : sizeOfFiles(folder, selection.chosen())
  const download = () => {
    const [only] = chosen
    if (only !== undefined && chosen.length === 1 && !only.isDir)
      return startDownload(sharedDownload({ hash: share.hash, path: only.path }))
    const subject = { share, folder: folder.path, paths: readable.map(({ path }) => path) }
    const zip = archiveAddress(subject, 'zip')
    // The dialog explains that the address would be too long.
    if (zip === null) return void ask('download', { subject })
    startDownload(zip)
  }
  return (
    <div className={classes(styles.bar, 'not-printed')} role="toolbar" aria-label={t('files.dock')} data-part="dock">
      <p className={styles.count}>
        {t('files.selected', { count, number: formatNumber(count) })}
        {size > 0 && (
          <span className="muted text-small">
            {' · '}
            <bdi>{formatBytes(size)}</bdi>
          </span>
        )}
      </p>
      <Suspense>{count > 0 && actions}</Suspense>
      <Button label={t('visit.download')} variant="primary" onClick={download} disabled={readable.length === 0} />
      <IconButton label={t('files.action.clear')} shortcut="Esc" icon={X} onClick={() => selection.clear()} />
    </div>
  )
}
