import { Download, RotateCcw } from 'lucide-react'
import { fileType } from '../../../../shared/file-type.ts'
import type { PastEntry } from '../../../data/snapshots.ts'
import { formatBytes, formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { FileName } from '../../../widgets/file-name.tsx'
import styles from './past-folder.module.css'

export interface PastRowProps {
  entry: PastEntry
  /** Address of its content then. */
  download: string
  /** Goes into a folder; null for files. */
  onOpen: (() => void) | null
  /** Null if it cannot be restored. */
  onRestore: (() => void) | null
}

/** An entry of a folder as it was. */
export function PastRow({ entry, download, onOpen, onRestore }: PastRowProps) {
  const { name, isDir, size, modified, now } = entry
  const shown = displayName(name)
  const words = (
    <>
      <EntryIcon name={name} type={fileType(name) ?? 'blob'} isDir={isDir} size={26} />
      <span className={styles.words}>
        <FileName name={name} />
        <span className={styles.about}>
          {now !== 'same' && <span className={styles.state}>{t(`snapshots.${now}`)}</span>}
          <bdi>{formatDateTime(new Date(modified))}</bdi>
          {!isDir && <bdi>{formatBytes(size)}</bdi>}
        </span>
      </span>
    </>
  )
  return (
    <li className={styles.row} data-state={now}>
      {onOpen === null ? (
        <span className={styles.entry}>{words}</span>
      ) : (
        <button type="button" className={styles.entry} onClick={onOpen}>
          {words}
        </button>
      )}
      <IconLink
        label={t('snapshots.download-named', { name: shown })}
        data-tooltip={t('preview.download')}
        icon={Download}
        href={download}
        download
      />
      {onRestore !== null && (
        <IconButton
          label={t('snapshots.restore-named', { name: shown })}
          data-tooltip={t('versions.restore')}
          icon={RotateCcw}
          onClick={onRestore}
        />
      )}
    </li>
  )
}
