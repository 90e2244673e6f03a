import { Suspense } from 'react'
import type { SharedFile, SharedLink } from '../../../shared/contract/public.ts'
import { ROOT } from '../../../shared/file-path.ts'
import { inTime } from '../../data/chunks.ts'
import { shareDownloadLink, shareLink } from '../../data/share-links.ts'
import { sharedInline } from '../../data/shared-resource.ts'
import { formatBytes, formatBytesExact } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './file-page.module.css'
import { InfoCard } from './info-card.tsx'
import columns from './share-screen.module.css'
import { isOnlyPicture } from './only-picture.ts'

/** The page works without it. */
const ShownFile = lazyPart(async () => (await inTime(import('./file-content.tsx'))).FileContent)

/** A shared file: information and its content. */
export function FilePage({ hash, file, link }: { hash: string; file: SharedFile; link: SharedLink }) {
  const place = { hash, path: ROOT }
  const modified = Date.parse(file.modified)
  return (
    <div className={columns.columns}>
      <InfoCard
        name={file.name}
        type={file.type}
        isDir={false}
        amount={<bdi title={formatBytesExact(file.size)}>{formatBytes(file.size)}</bdi>}
        modified={modified}
        link={link}
        isWholeShare
        downloadLink={shareDownloadLink(hash)}
        pageLink={shareLink(hash)}
        openLink={sharedInline(place, modified)}
      />
      <section className={styles.preview} aria-label={t('visit.preview')} data-kind={file.type} data-part="share-preview">
        <Suspense fallback={<Spinner size={28} />}>
          <ShownFile place={place} file={file} full={false} asPicture={isOnlyPicture(link)} overlay={null} />
        </Suspense>
      </section>
    </div>
  )
}
