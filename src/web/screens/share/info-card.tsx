import { ChevronDown, Download } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import type { FileType } from '../../../shared/contract/resources.ts'
import type { SharedLink } from '../../../shared/contract/public.ts'
import { inTime } from '../../data/chunks.ts'
import { formatDate, formatDateExact, formatMoment } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { buttonClassName } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PaperStack } from '../../ui/paper-stack.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import styles from './info-card.module.css'
import { Message } from './message.tsx'

/** What one came for is there without them. */
const ShareTools = lazyPart(async () => (await inTime(import('./share-tools.tsx'))).ShareTools)

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
  const shown = name === '' ? t('visit.whole') : displayName(name)
  const date = new Date(modified)
  return (
    <section className={styles.card} data-part="share-card">
      <div className={styles.cover} aria-hidden>
        <PaperStack />
        <EntryIcon name={name} type={type} isDir={isDir} size={72} />
      </div>
      <div className={styles.body}>
        <div className={styles.words}>
          <h1 className={styles.name}>
            <bdi>{title === '' ? shown : title}</bdi>
          </h1>
          {title !== '' && (
            <p className="text-color break-anywhere">
              <bdi>{shown}</bdi>
            </p>
          )}
          <p className="text-color break-anywhere">{amount}</p>
          <p title={formatDateExact(date)}>{t('visit.modified', { when: formatDate(date) })}</p>
          {link.expires !== 0 && <p>{t('share.lasts.until', { end: formatMoment(link.expires) })}</p>}
          {(link.limited || !mayTake) && <p>{t(mayTake ? 'visit.limited' : 'visit.only-look')}</p>}
        </div>
        {isWholeShare && <Message text={link.message} />}
        {mayTake && (
          <div className={styles.take}>
            <a className={buttonClassName({ variant: 'primary', size: 'large', wide: true })} href={downloadLink} download>
              <Download size={18} strokeWidth={1.75} aria-hidden />
              {t(onFormats === undefined ? 'visit.download' : 'visit.download-all')}
            </a>
            {onFormats && <IconButton variant="primary" label={t('visit.formats')} icon={ChevronDown} onClick={onFormats} />}
          </div>
        )}
        <Suspense fallback={<AwaitedTools withFile={openLink !== undefined && mayTake} />}>
          <ShareTools downloadLink={mayTake ? downloadLink : null} pageLink={pageLink} openLink={openLink} />
        </Suspense>
      </div>
    </section>
  )
}

/** Takes as many lines as the tools will, whatever the language. */
function AwaitedTools({ withFile }: { withFile: boolean }) {
  const words = [...(withFile ? [t('visit.open-file')] : []), t('visit.copy'), t('visit.qr.show')]
  return (
    <div className={styles.tools} aria-hidden>
      {words.map((word) => (
        <span key={word} className={buttonClassName({})}>
          {word}
        </span>
      ))}
    </div>
  )
}
