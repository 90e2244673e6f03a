import { ExternalLink, Link2, QrCode } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { copyAndTell } from '../../data/copy-text.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button, buttonClassName } from '../../ui/button.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import styles from './share-tools.module.css'

const QrPicture = lazy(async () => ({ default: (await import('../../widgets/qr-picture.tsx')).QrPicture }))

export interface ShareToolsProps {
  /** The whole address of the bytes; null where they are not to be had. */
  downloadLink: string | null
  /** The whole address of this page. */
  pageLink: string
  /** Shows a file in the browser. */
  openLink?: string | undefined
}

/** What else one does with a link: opens the file, copies the address, takes it to a phone. */
export function ShareTools({ downloadLink, pageLink, openLink }: ShareToolsProps) {
  const phone = usePhone()
  const [wished, setWished] = useState(false)
  return (
    <>
      <div className={styles.row}>
        {openLink !== undefined && downloadLink !== null && (
          <a className={buttonClassName({})} href={openLink} target="_blank" rel="noreferrer">
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
          <Button
            label={t(wished ? 'visit.qr.hide' : 'visit.qr.show')}
            icon={QrCode}
            aria-expanded={wished}
            onClick={() => setWished(!wished)}
          />
        )}
      </div>
      {(!phone || wished) && (
        <figure className={styles.qr}>
          <Suspense fallback={<div className={styles.coming} />}>
            <QrPicture text={downloadLink ?? pageLink} label={t(downloadLink === null ? 'visit.qr.page' : 'visit.qr')} />
          </Suspense>
          <figcaption>{t(downloadLink === null ? 'visit.qr.page-hint' : 'visit.qr.hint')}</figcaption>
        </figure>
      )}
    </>
  )
}
