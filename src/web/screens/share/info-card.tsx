import { Download, ExternalLink, Link2, QrCode } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { FileType } from '../../../shared/contract/resources.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { formatDate, formatDateExact } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button, buttonLook } from '../../ui/button.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import styles from './info-card.module.css'

const QrPicture = lazy(async () => ({ default: (await import('./qr-picture.tsx')).QrPicture }))

export interface InfoCardProps {
  /** Empty for somebody's whole folder. */
  name: string
  type: FileType
  isDir: boolean
  /** How much it is. */
  amount: ReactNode
  /** Milliseconds since 1970. */
  modified: number
  /** The whole address of its bytes: of a folder as a zip. */
  downloadLink: string
  /** The whole address of this page. */
  pageLink: string
  /** Shown in place, for files. */
  openLink?: string
  /** Puts the question of the format, for folders. */
  onDownload?: () => void
}

/** What is shared, and how to take it along. */
export function InfoCard({ name, type, isDir, amount, modified, downloadLink, pageLink, openLink, onDownload }: InfoCardProps) {
  const phone = usePhone()
  const [wished, setWished] = useState(false)
  const shown = name === '' ? t('visit.whole') : displayName(name)
  const date = new Date(modified)
  return (
    <section className={styles.card} data-part="share-card">
      <EntryIcon name={name} type={type} isDir={isDir} size={64} />
      <div className={styles.words}>
        <h1 className={styles.name}>
          <bdi>{shown}</bdi>
        </h1>
        <p>{amount}</p>
        <p title={formatDateExact(date)}>{t('visit.modified', { when: formatDate(date) })}</p>
      </div>
      <div className={styles.deeds}>
        {onDownload === undefined ? (
          <a className={buttonLook({ variant: 'primary', wide: true })} href={downloadLink} download>
            <Download size={18} strokeWidth={1.75} aria-hidden />
            {t('visit.download')}
          </a>
        ) : (
          <Button variant="primary" wide icon={<Download size={18} strokeWidth={1.75} />} onClick={onDownload}>
            {t('visit.download-all')}
          </Button>
        )}
        {openLink !== undefined && (
          <a className={buttonLook({ wide: true })} href={openLink} target="_blank" rel="noreferrer">
            <ExternalLink size={18} strokeWidth={1.75} aria-hidden />
            {t('visit.open-file')}
          </a>
        )}
        <CopyButton
          wide
          label={t('visit.copy')}
          icon={Link2}
          copy={() => copyAndTell(pageLink, { done: t('share.copied'), failed: t('share.copy-failed', { link: pageLink }) })}
        />
        {phone && (
          <Button wide icon={<QrCode size={18} strokeWidth={1.75} />} aria-expanded={wished} onClick={() => setWished(!wished)}>
            {t(wished ? 'visit.qr.hide' : 'visit.qr.show')}
          </Button>
        )}
      </div>
      {(!phone || wished) && (
        <figure className={styles.qr}>
          <Suspense fallback={<div className={styles.coming} />}>
            <QrPicture text={downloadLink} label={t('visit.qr')} />
          </Suspense>
          <figcaption>{t('visit.qr.hint')}</figcaption>
        </figure>
      )}
    </section>
  )
}
