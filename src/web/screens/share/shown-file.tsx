import { useState } from 'react'
import type { SharedFile } from '../../../shared/contract/public.ts'
import { nameOf, parseFilePath } from '../../../shared/file-path.ts'
import { hasThumbnail, hasTwoSizes } from '../../data/pictures.ts'
import { sharedDownload, sharedImage, sharedInline, type SharedPlace, sharedPicture, sharedSubtitle } from '../../data/visit.ts'
import { ImageStage } from '../../widgets/image-stage.tsx'
import { MediaStage } from '../../widgets/media-stage.tsx'
import { TextView } from './text-view.tsx'

export interface ShownFileProps {
  place: SharedPlace
  file: SharedFile
  /** At its full size, if it is an image. */
  full: boolean
  autoPlay: boolean
  onSwipe: (to: 'previous' | 'next') => void
}

/** A file behind a link, as it can be shown. Nothing of it runs: a text is text, and a PDF is the browser's own viewer's. */
export function ShownFile({ place, file, full, autoPlay, onSwipe }: ShownFileProps) {
  const [broken, setBroken] = useState<'small' | 'both' | null>(null)
  const modified = Date.parse(file.modified)
  const { name } = file
  if (file.type === 'text' || file.type === 'textImmutable') return <TextView place={place} file={file} />
  if (file.type === 'image' && broken !== 'both')
    return (
      <ImageStage
        key={`${full} ${broken}`}
        src={sharedImage(place, { name, modified, full: full || broken === 'small' })}
        name={name}
        onSwipe={onSwipe}
        onBroken={() => setBroken(broken === null && hasTwoSizes(name) && !full ? 'small' : 'both')}
      />
    )
  return (
    <MediaStage
      file={file}
      autoPlay={autoPlay}
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
