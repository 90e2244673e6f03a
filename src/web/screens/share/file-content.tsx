import { useState } from 'react'
import type { SharedFile } from '../../../shared/contract/public.ts'
import { nameOf, parseFilePath } from '../../../shared/file-path.ts'
import { isOfficeName } from '../../../shared/office-name.ts'
import { hasThumbnail, hasTwoSizes } from '../../data/pictures.ts'
import { sharedImage, sharedSubtitle } from '../../data/shared-media.ts'
import { sharedDownload, sharedInline, type ShareLocation, sharedPicture } from '../../data/shared-resource.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { ImageViewer } from '../../widgets/image-viewer.tsx'
import { MediaViewer } from '../../widgets/media-viewer.tsx'
import styles from './file-content.module.css'
import { TextView } from './text-view.tsx'
import { lazyPart } from '../../i18n/lazy-part.ts'
import { inTime } from '../../data/chunks.ts'
import type { Viewers } from '../../widgets/viewers/viewers.ts'

const viewers: Viewers = {
  font: lazyPart(async () => (await inTime(import('../../widgets/viewers/font/font-view.tsx'))).FontView),
  book: lazyPart(async () => (await inTime(import('../../widgets/viewers/book/book-view.tsx'))).BookView),
  pdf: lazyPart(async () => (await inTime(import('../../widgets/viewers/pdf/pdf-view.tsx'))).PdfView),
}

export interface FileContentProps {
  place: ShareLocation
  file: SharedFile
  /** At full size, for images. */
  full: boolean
  /** Only as rendered by the server: its bytes may not be downloaded, or are counted. */
  asPicture: boolean
  /** In a full-window preview rather than part of a scrolling page: media play automatically, and images can be zoomed. */
  overlay: { onSwipe: (to: 'previous' | 'next') => void } | null
}

/** Content of a shared file. Nothing in it is executed: texts are shown as text, PDFs by our own viewer. */
export function FileContent({ place, file, full, asPicture, overlay }: FileContentProps) {
  const [broken, setBroken] = useState<'small' | 'both' | null>(null)
  const modified = Date.parse(file.modified)
  const { name } = file
  if (asPicture) {
    const src = sharedPicture('big', place, modified)
    const onBroken = () => setBroken('both')
    if (broken !== null || !hasThumbnail(file)) return <NoPicture file={file} />
    if (overlay === null) return <img className={styles.image} src={src} alt={displayName(name)} onError={onBroken} />
    return <ImageViewer key={src} src={src} name={name} onSwipe={overlay.onSwipe} onBroken={onBroken} />
  }
  if (file.type === 'text' || file.type === 'textImmutable') return <TextView place={place} file={file} />
  if (file.type === 'image' && broken !== 'both') {
    const src = sharedImage(place, { name, modified, full: full || broken === 'small' })
    const onBroken = () => setBroken(broken === null && hasTwoSizes(name) && !full ? 'small' : 'both')
    if (overlay === null) return <img className={styles.image} src={src} alt={displayName(name)} onError={onBroken} />
    return <ImageViewer key={src} src={src} name={name} onSwipe={overlay.onSwipe} onBroken={onBroken} />
  }
  return (
    <MediaViewer
      file={file}
      viewers={viewers}
      autoPlay={overlay !== null}
      addresses={{
        inline: sharedInline(place, modified),
        download: sharedDownload(place),
        pdf: isOfficeName(name) ? sharedPicture('pdf', place, modified) : undefined,
        poster: hasThumbnail(file) ? sharedPicture('big', place, modified) : undefined,
        subtitles: (file.subtitles ?? []).map(parseFilePath).map((path) => ({
          src: sharedSubtitle({ hash: place.hash, path }),
          name: nameOf(path),
        })),
      }}
    />
  )
}

function NoPicture({ file: { name, type } }: { file: SharedFile }) {
  return (
    <div className={styles.none}>
      <EntryIcon name={name} type={type} isDir={false} size={64} />
      <p>{t('visit.no-picture')}</p>
    </div>
  )
}
