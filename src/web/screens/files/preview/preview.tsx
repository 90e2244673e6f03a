import { ArrowLeft, ChevronLeft, ChevronRight, Download, Info, Maximize, PencilLine, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
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
import { displayName } from '../../../widgets/display-name.ts'
import { useIdle } from '../../../widgets/idle.ts'
import { ImageStage } from '../../../widgets/image-stage.tsx'
import { type MediaAddresses, MediaStage } from '../../../widgets/media-stage.tsx'
import { type Neighbours, neighboursOf } from '../../../data/neighbours.ts'
import styles from './preview.module.css'

export interface PreviewProps {
  file: File
  path: FilePath
  /** The folder it is in, in the order on show; null while nobody knows. */
  folder: Listing | null
  onOpen: (path: FilePath) => void
  onClose: () => void
  onRename: () => void
  onDelete: () => void
  onInfo: () => void
}

/** One file on a dark stage; arrows and Enter walk through the media of the folder, Escape goes back to it. */
export function Preview({ file, path, folder, onOpen, onClose, onRename, onDelete, onInfo }: PreviewProps) {
  const { perm } = useUser()
  const stage = useRef<HTMLDivElement>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const [fullFor, setFullFor] = useState<string | null>(null)
  const full = fullFor === path
  const twoSizes = hasTwoSizes(path)
  const isImage = file.type === 'image' && perm.download && broken !== path
  const idle = useIdle(stage, { hides: isImage || file.type === 'video' || file.type === 'audio' })
  const neighbours = useMemo(() => neighboursOf(folder, file.name), [folder, file.name])
  const go = (to: ListedEntry | null) => to !== null && onOpen(to.path)
  const previous = () => go(neighbours.previous)
  const next = () => go(neighbours.next)
  usePreviewKeys({ previous, next, onClose })
  usePreload(neighbours)

  return (
    <div ref={stage} className={styles.preview} data-idle={idle || undefined} data-part="preview" data-theme-fixed="dark">
      <header className={styles.bar} data-controls>
        <IconButton
          label={t('preview.close')}
          shortcut="Esc"
          icon={<ArrowLeft size={20} strokeWidth={1.75} className="mirror" />}
          onClick={onClose}
        />
        <div className={styles.words}>
          <h1 className={styles.name} title={displayName(file.name)}>
            <bdi>{displayName(file.name)}</bdi>
          </h1>
          <p className={styles.meta}>
            {neighbours.at > 0 && (
              <span>{t('preview.place', { at: formatNumber(neighbours.at), count: formatNumber(neighbours.count) })} · </span>
            )}
            <bdi>{formatBytes(file.size)}</bdi>
          </p>
        </div>
        {isImage && twoSizes && (
          <IconButton
            label={t('preview.full-size')}
            icon={<Maximize {...ICON} />}
            pressed={full}
            onClick={() => setFullFor(full ? null : path)}
          />
        )}
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
      </header>
      <main className={styles.stage}>
        {isImage ? (
          <ImageStage
            key={path}
            onBroken={() => (twoSizes && !full ? setFullFor(path) : setBroken(path))}
            src={imageAddress(path, Date.parse(file.modified), { full })}
            name={file.name}
            onSwipe={(to) => (to === 'next' ? next() : previous())}
          />
        ) : (
          <MediaStage key={path} file={file} addresses={perm.download ? addressesOf(path, file) : null} />
        )}
      </main>
      {neighbours.previous !== null && (
        <div className={styles.previous} data-controls>
          <IconButton
            label={t('preview.previous')}
            icon={<ChevronLeft size={28} className="mirror" />}
            onClick={previous}
            className={styles.arrow}
          />
        </div>
      )}
      {neighbours.next !== null && (
        <div className={styles.next} data-controls>
          <IconButton
            label={t('preview.next')}
            icon={<ChevronRight size={28} className="mirror" />}
            onClick={next}
            className={styles.arrow}
          />
        </div>
      )}
    </div>
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

/** Left and Right follow the reading direction; Enter is next; a control that has the focus keeps its own Enter. */
function usePreviewKeys({ previous, next, onClose }: { previous: () => void; next: () => void; onClose: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isAsking() || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof Element ? event.target : null
      const rtl = document.documentElement.dir === 'rtl'
      if (event.key === 'Escape') onClose()
      // A player's own arrows seek in it.
      else if (target?.closest('video, audio, input, textarea') !== null && target !== null) return
      else if (event.key === (rtl ? 'ArrowRight' : 'ArrowLeft')) previous()
      else if (event.key === (rtl ? 'ArrowLeft' : 'ArrowRight')) next()
      else if (event.key === 'Enter' && (target?.closest('button, a') ?? null) === null) next()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [previous, next, onClose])
}

/** The images on both sides, so that the next one is there when it is asked for. */
function usePreload({ previous, next }: Neighbours): void {
  // Talks to the browser's cache.
  useEffect(() => {
    for (const one of [next, previous]) if (one?.type === 'image') new Image().src = imageAddress(one.path, one.modified)
  }, [previous, next])
}
