import { useState } from 'react'
import type { SharedFile } from '../../../shared/contract/public.ts'
import { nameOf, parseFilePath } from '../../../shared/file-path.ts'
import { hasThumbnail, hasTwoSizes } from '../../data/pictures.ts'
import { sharedImage, sharedSubtitle } from '../../data/shared-media.ts'
import { sharedDownload, sharedInline, type ShareLocation, sharedPicture } from '../../data/shared-resource.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { EntryIcon } from '../../widgets/entry-icon.tsx'
import { ImageStage } from '../../widgets/image-stage.tsx'
import { MediaStage } from '../../widgets/media-stage.tsx'
import styles from './shown-file.module.css'
import { TextView } from './text-view.tsx'
import { viewers } from './viewers.ts'

export interface ShownFileProps {
  place: ShareLocation
  file: SharedFile
  /** At its full size, if it is an image. */
  full: boolean
  /** Only what the server makes of it: its own bytes are not to be had, or are counted. */
  asPicture: boolean
  /** Alone on a stage, and not a part of a page that scrolls: it plays at once, and wheel and fingers zoom. */
  stage: { onSwipe: (to: 'previous' | 'next') => void } | null
}

/** A file behind a link, as it can be shown. Nothing of it runs: a text is text, and a PDF is the browser's own viewer's. */
export function ShownFile({ place, file, full, asPicture, stage }: ShownFileProps) {
  const [broken, setBroken] = useState<'small' | 'both' | null>(null)
  const modified = Date.parse(file.modified)
  const { name } = file
  if (asPicture) {
    const src = sharedPicture('big', place, modified)
    const onBroken = () => setBroken('both')
    if (broken !== null || !hasThumbnail(file)) return <NoPicture file={file} />
    if (stage === null) return <img className={styles.image} src={src} alt={displayName(name)} onError={onBroken} />
    return <ImageStage key={src} src={src} name={name} onSwipe={stage.onSwipe} onBroken={onBroken} />
  }
  if (file.type === 'text' || file.type === 'textImmutable') return <TextView place={place} file={file} />
  if (file.type === 'image' && broken !== 'both') {
    const src = sharedImage(place, { name, modified, full: full || broken === 'small' })
    const onBroken = () => setBroken(broken === null && hasTwoSizes(name) && !full ? 'small' : 'both')
    if (stage === null) return <img className={styles.image} src={src} alt={displayName(name)} onError={onBroken} />
    return <ImageStage key={src} src={src} name={name} onSwipe={stage.onSwipe} onBroken={onBroken} />
  }
  return (
    <MediaStage
      file={file}
      viewers={viewers}
      autoPlay={stage !== null}
      addresses={{
        inline: sharedInline(place, modified),
        download: sharedDownload(place),
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
