import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FileType } from '../../shared/contract/resources.ts'
import { formatBytes, formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { buttonClassName } from '../ui/button.tsx'
import { displayName } from './display-name.ts'
import { EntryIcon } from './entry-icon.tsx'
import styles from './file-fallback.module.css'
import { kindName } from './kind-name.ts'

export interface FileFallbackProps {
  file: { name: string; size: number; type: FileType; modified: string }
  /** Why there is no preview. */
  reason: string
  /** Null without permission, and if there is nothing to download. */
  download: string | null
  /** Buttons after Download. */
  actions?: ReactNode
  /** Extracted text of the file, if any. */
  content?: ReactNode
}

/** Fallback for a file without a preview: type, size, Download. */
export function FileFallback({ file, reason, download, actions, content }: FileFallbackProps) {
  return (
    <div className={styles.page} data-part="file-page" data-keeps-controls>
      <div className={styles.head}>
        <span className={styles.icon}>
          <EntryIcon name={file.name} type={file.type} isDir={false} size={96} />
        </span>
        <div className="grid gap-3 shrinkable">
          <p className="text-title break-anywhere">
            <bdi>{displayName(file.name)}</bdi>
          </p>
          <p className={styles.meta}>
            <bdi>{kindName({ ...file, isDir: false })}</bdi>
            {file.type !== 'invalid_link' && <bdi>{formatBytes(file.size)}</bdi>}
            <bdi>{formatDateTime(new Date(file.modified))}</bdi>
          </p>
          <p className={styles.why}>{reason}</p>
        </div>
        {(download !== null || actions) && (
          <div className={styles.actions}>
            {download !== null && (
              <a className={buttonClassName({ variant: 'primary' })} href={download} download>
                <Download size={18} strokeWidth={1.75} /> {t('preview.download')}
              </a>
            )}
            {actions}
          </div>
        )}
      </div>
      {content}
    </div>
  )
}
