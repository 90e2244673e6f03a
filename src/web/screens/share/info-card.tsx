import { ChevronDown, Download, ExternalLink, Link2, QrCode } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { FileType } from '../../../shared/contract/resources.ts'
import type { SharedLink } from '../../../shared/contract/public.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { formatDate, formatDateExact } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button, buttonClassName } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import styles from './info-card.module.css'
import { Message } from './message.tsx'

const QrPicture = lazy(async () => ({ default: (await import('../../widgets/qr-picture.tsx')).QrPicture }))

export interface InfoCardProps {
  /** Empty for a user's whole scope. */
  name: string
  type: FileType
  isDir: boolean
  /** Size or counts. */
  amount: ReactNode
  /** Milliseconds since 1970. */
  modified: number
  link: SharedLink
  /** Whether it is the shared node itself, to which title and message belong. */
  isWholeShare: boolean
  /** Full download address; folders as a zip. */
  downloadLink: string
  /** Full address of this page. */
  pageLink: string
  /** Inline address, for files. */
  openLink?: string
  /** Asks for another archive format, for folders. */
  onFormats?: () => void
}

/** Information about the shared node, with download, open and copy actions. */
export function InfoCard(props: InfoCardProps) {
  const { name, type, isDir, amount, modified, link, isWholeShare, downloadLink, pageLink, openLink, onFormats } = props
  const mayTake = link.rights !== 'view'
  const title = isWholeShare ? link.title : ''
  const phone = usePhone()
  const [wished, setWished] = useState(false)
  const shown = name === '' ? t('visit.whole') : displayName(name)
  const date = new Date(modified)
  return (
    <section className={styles.card} data-part="share-card">
      <EntryIcon name={name} type={type} isDir={isDir} size={64} />
      <div className={styles.words}>
        <h1 className={styles.name}>
          <bdi>{title === '' ? shown : title}</bdi>
        </h1>
        {title !== '' && (
          <p className={styles.what}>
            <bdi>{shown}</bdi>
          </p>
        )}
        <p>{amount}</p>
        <p title={formatDateExact(date)}>{t('visit.modified', { when: formatDate(date) })}</p>
      </div>
      {isWholeShare && <Message text={link.message} />}
      {(link.limited || !mayTake) && <p className={styles.hint}>{t(mayTake ? 'visit.limited' : 'visit.only-look')}</p>}
      <div className={styles.actions}>
        {!mayTake ? null : onFormats === undefined ? (
          <a className={buttonClassName({ variant: 'primary', wide: true })} href={downloadLink} download>
            <Download size={18} strokeWidth={1.75} aria-hidden />
            {t('visit.download')}
          </a>
        ) : (
          <div className={styles.split}>
            <a className={buttonClassName({ variant: 'primary', wide: true })} href={downloadLink} download>
              <Download size={18} strokeWidth={1.75} aria-hidden />
              {t('visit.download-all')}
            </a>
            <IconButton
              variant="primary"
              label={t('visit.formats')}
              icon={<ChevronDown size={18} strokeWidth={1.75} />}
              onClick={onFormats}
            />
          </div>
        )}
        {openLink !== undefined && mayTake && (
          <a className={buttonClassName({ wide: true })} href={openLink} target="_blank" rel="noreferrer">
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
            <QrPicture text={mayTake ? downloadLink : pageLink} label={t(mayTake ? 'visit.qr' : 'visit.qr.page')} />
          </Suspense>
          <figcaption>{t(mayTake ? 'visit.qr.hint' : 'visit.qr.page-hint')}</figcaption>
        </figure>
      )}
    </section>
  )
}
