import { Download, Info, Maximize, PencilLine, Share2, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { href } from '../../../../shared/contract/endpoint.ts'
import { api } from '../../../../shared/contract/index.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import { type FilePath, nameOf, parseFilePath } from '../../../../shared/file-path.ts'
import { address } from '../../../data/client.ts'
import { inlineAddress } from '../../../data/inline.ts'
import type { ListedEntry, Listing } from '../../../data/listing.ts'
import { hasThumbnail, hasTwoSizes, imageAddress, pictureAddress } from '../../../data/pictures.ts'
import { isAsking } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { IconLink } from '../../../ui/icon-link.tsx'
import { ImageStage } from '../../../widgets/image-stage.tsx'
import { type MediaAddresses, MediaStage } from '../../../widgets/media-stage.tsx'
import { Stage } from '../../../widgets/stage.tsx'
import { may } from '../actions.ts'
import { type Neighbours, neighboursOf } from '../../../data/neighbours.ts'

export interface PreviewProps {
  file: File
  path: FilePath
  /** The folder it is in, in the order on show; null while nobody knows. */
  folder: Listing | null
  onOpen: (path: FilePath) => void
  onClose: () => void
  onRename: () => void
  onDelete: () => void
  onShare: () => void
  onInfo: () => void
}

/** One file on a dark stage; arrows and Enter walk through the media of the folder, Escape goes back to it. */
export function Preview({ file, path, folder, onOpen, onClose, onRename, onDelete, onShare, onInfo }: PreviewProps) {
  const { perm } = useUser()
  const [broken, setBroken] = useState<string | null>(null)
  const [fullFor, setFullFor] = useState<string | null>(null)
  const full = fullFor === path
  const twoSizes = hasTwoSizes(path)
  const isImage = file.type === 'image' && perm.download && broken !== path
  const neighbours = useMemo(() => neighboursOf(folder, file.name), [folder, file.name])
  const go = (to: ListedEntry | null) => to !== null && onOpen(to.path)
  const { previous, next } = neighbours
  usePreload(neighbours)

  return (
    <Stage
      name={file.name}
      meta={
        <>
          {neighbours.at > 0 && (
            <span>{t('preview.place', { at: formatNumber(neighbours.at), count: formatNumber(neighbours.count) })} · </span>
          )}
          <bdi>{formatBytes(file.size)}</bdi>
        </>
      }
      hides={isImage || file.type === 'video' || file.type === 'audio'}
      isQuiet={isAsking}
      onClose={onClose}
      onPrevious={previous && (() => onOpen(previous.path))}
      onNext={next && (() => onOpen(next.path))}
      actions={
        <>
          {isImage && twoSizes && (
            <IconButton
              label={t('preview.full-size')}
              icon={<Maximize {...ICON} />}
              pressed={full}
              onClick={() => setFullFor(full ? null : path)}
            />
          )}
          {may(perm, 'share') && <IconButton label={t('files.action.share')} icon={<Share2 {...ICON} />} onClick={onShare} />}
          {perm.rename && <IconButton label={t('preview.rename')} shortcut="F2" icon={<PencilLine {...ICON} />} onClick={onRename} />}
          {perm.delete && <IconButton label={t('preview.delete')} icon={<Trash2 {...ICON} />} onClick={onDelete} />}
          {perm.download && (
            <IconLink
              label={t('preview.download')}
              icon={<Download {...ICON} />}
              href={address(href(api.raw.get, { params: { path } }))}
              download
            />
          )}
          <IconButton label={t('preview.info')} icon={<Info {...ICON} />} onClick={onInfo} />
        </>
      }
    >
      {isImage ? (
        <ImageStage
          key={path}
          onBroken={() => (twoSizes && !full ? setFullFor(path) : setBroken(path))}
          src={imageAddress(path, Date.parse(file.modified), { full })}
          name={file.name}
          onSwipe={(to) => go(to === 'next' ? next : previous)}
        />
      ) : (
        <MediaStage key={path} file={file} addresses={perm.download ? addressesOf(path, file) : null} />
      )}
    </Stage>
  )
}

const ICON = { size: 20, strokeWidth: 1.75 }

function addressesOf(path: FilePath, file: File): MediaAddresses {
  const modified = Date.parse(file.modified)
  return {
    inline: inlineAddress(path, modified),
    download: address(href(api.raw.get, { params: { path } })),
    poster: hasThumbnail(file) ? pictureAddress('big', path, modified) : undefined,
    subtitles: (file.subtitles ?? []).map(parseFilePath).map((subtitle) => ({
      src: address(href(api.resources.subtitle, { params: { path: subtitle }, query: { inline: 'true' } })),
      name: nameOf(subtitle),
    })),
  }
}

/** The images on both sides, so that the next one is there when it is asked for. */
function usePreload({ previous, next }: Neighbours): void {
  // Talks to the browser's cache.
  useEffect(() => {
    for (const one of [next, previous]) if (one?.type === 'image') new Image().src = imageAddress(one.path, one.modified)
  }, [previous, next])
}
