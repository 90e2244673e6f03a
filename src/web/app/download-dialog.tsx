import { useEffect, useState } from 'react'
import { ARCHIVE_FORMATS, type ArchiveFormat, isLaidOut } from '../../shared/archive-format.ts'
import { nameOf, ROOT } from '../../shared/file-path.ts'
import { archiveAddress, archiveSize, type ArchiveSubject } from '../data/downloads.ts'
import { startDownload } from '../data/start-download.ts'
import type { PromptProps } from '../data/prompts.ts'
import { formatBytes } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { useFolderName } from '../screens/files/folder-name.ts'
import { Dialog } from '../ui/dialog.tsx'
import { displayName } from '../widgets/display-name.ts'
import styles from './download-dialog.module.css'

/** Asks for the archive format, with the features and size of each. Choosing one starts the download. */
export function DownloadDialog({ subject, onAnswer, onDismiss }: PromptProps<'download'>) {
  const size = useSize(subject)
  const root = useFolderName()(ROOT)
  const choose = (format: ArchiveFormat) => {
    const url = archiveAddress(subject, format)
    if (url !== null) startDownload(url)
    onAnswer(format)
  }
  if (archiveAddress(subject, 'tar.bz2') === null) {
    return (
      <Dialog
        title={titleOf(subject, root)}
        description={t('files.download.too-many')}
        size="small"
        closeLabel={t('action.close')}
        onDismiss={onDismiss}
      />
    )
  }
  const laidOut = ARCHIVE_FORMATS.filter(isLaidOut)
  const compressed = ARCHIVE_FORMATS.filter((format) => !isLaidOut(format))
  return (
    <Dialog
      title={titleOf(subject, root)}
      description={t('files.download.text')}
      size="small"
      closeLabel={t('action.close')}
      onDismiss={onDismiss}
    >
      <section className={styles.group}>
        <h3 className="text-name strong">{t('files.download.resumes')}</h3>
        <p className={styles.note} role="status">
          {size === 'asking'
            ? t('files.download.counting')
            : size === null
              ? t('files.download.unknown')
              : t('files.download.size', { size: formatBytes(size) })}
        </p>
        <Formats formats={laidOut} onChoose={choose} wide />
      </section>
      <section className={styles.group}>
        <h3 className="text-name strong">{t('files.download.compressed')}</h3>
        <p className={styles.note}>{t('files.download.restarts')}</p>
        <Formats formats={compressed} onChoose={choose} />
      </section>
    </Dialog>
  )
}

function Formats({
  formats,
  onChoose,
  wide,
}: {
  formats: readonly ArchiveFormat[]
  onChoose: (format: ArchiveFormat) => void
  wide?: boolean
}) {
  return (
    <div className={styles.formats} data-wide={wide}>
      {formats.map((format) => (
        <button
          key={format}
          type="button"
          className={styles.format}
          data-autofocus={format === 'zip' ? '' : undefined}
          onClick={() => onChoose(format)}
        >
          <bdi>{format}</bdi>
        </button>
      ))}
    </div>
  )
}

function titleOf({ share, folder, paths }: ArchiveSubject, root: string): string {
  if (paths.length > 1) return t('files.download.title.many', { count: paths.length })
  const [only = folder] = paths
  return t('files.download.title', {
    name: only === ROOT ? (share === undefined ? root : displayName(share.name)) : displayName(nameOf(only)),
  })
}

/** The archive size, computed by the server without reading files; null if it is unknown. */
function useSize(subject: ArchiveSubject): number | null | 'asking' {
  const [size, setSize] = useState<number | null | 'asking'>('asking')
  useEffect(() => {
    const asked = new AbortController()
    archiveSize(subject, { signal: asked.signal }).then(setSize, () => !asked.signal.aborted && setSize(null))
    return () => asked.abort()
  }, [subject])
  return size
}
