import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { isArchiveName } from '../../../../shared/archive-format.ts'
import { href } from '../../../../shared/contract/endpoint.ts'
import { type File, resources } from '../../../../shared/contract/resources.ts'
import { type FilePath, nameOf, parseFilePath } from '../../../../shared/file-path.ts'
import { isOfficeName } from '../../../../shared/office-name.ts'
import { address } from '../../../data/client.ts'
import { hasDocumentText } from '../../../data/document-text.ts'
import { type PixelSize, readImageSize } from '../../../data/image-size.ts'
import { inlineAddress } from '../../../data/inline.ts'
import type { Listing } from '../../../data/listing.ts'
import { type Neighbours, neighboursOf } from '../../../data/neighbours.ts'
import { hasThumbnail, hasTwoSizes, imageAddress, isServerOnly, pictureAddress } from '../../../data/pictures.ts'
import { isAsking } from '../../../data/prompts.ts'
import { usePermissions } from '../../../data/rights.ts'
import { pageIn, showPage } from '../../../data/text-range.ts'
import { fileAddress } from '../../../data/start-download.ts'
import { formatBytes, formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { useLocation } from '../../../router/router.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { ImageViewer } from '../../../widgets/image-viewer.tsx'
import { MediaViewer, previewTheme } from '../../../widgets/media-viewer.tsx'
import type { MediaAddresses, Viewers } from '../../../widgets/viewers/viewers.ts'
import { PreviewOverlay } from '../../../widgets/preview-overlay.tsx'
import { may } from '../action-rules.ts'
import { useStar } from '../use-star.ts'
import { isPerhapsText, isTextQuery } from './as-text.ts'
import { Filmstrip } from './filmstrip.tsx'
import { PreviewActions } from './preview-actions.tsx'
import { inTime } from '../../../data/chunks.ts'

const viewers: Viewers = {
  font: lazyPart(async () => (await inTime(import('../../../widgets/viewers/font/font-view.tsx'))).FontView),
  book: lazyPart(async () => (await inTime(import('../../../widgets/viewers/book/book-view.tsx'))).BookView),
  pdf: lazyPart(async () => (await inTime(import('../../../widgets/viewers/pdf/pdf-view.tsx'))).PdfView),
}

const DocumentText = lazyPart(async () => (await import('./document-text.tsx')).DocumentText)
const ArchiveStage = lazyPart(async () => (await import('./archive-viewer.tsx')).ArchiveViewer)

export interface PreviewProps {
  file: File
  path: FilePath
  /** Its folder in display order; null while unknown. */
  folder: Listing | null
  onOpen: (path: FilePath) => void
  onClose: () => void
  onRename: () => void
  onDelete: () => void
  /** Null if it cannot be shared. */
  onShare: (() => void) | null
  onInfo: () => void
  onVersions: () => void
  onOpenAsText: () => void
}

/** Full-window preview; arrow keys and Enter move through the media of the folder, Escape returns to it. */
export function Preview(props: PreviewProps) {
  const { file, path, folder, onOpen, onClose, onOpenAsText } = props
  const perm = usePermissions()
  const phone = usePhone()
  const { hash } = useLocation()
  const star = useStar(path, file)
  const [broken, setBroken] = useState<string | null>(null)
  const [fullFor, setFullFor] = useState<string | null>(null)
  const [natural, setNatural] = useState<{ of: string; pixels: PixelSize } | null>(null)
  const full = fullFor === path
  const twoSizes = hasTwoSizes(path)
  const leadsNowhere = file.type === 'invalid_link'
  const mayDownload = may(perm, 'download') && !leadsNowhere
  const isImage = file.type === 'image' && mayDownload && broken !== path
  const isArchive = mayDownload && isArchiveName(file.name)
  const neighbours = useMemo(() => neighboursOf(folder, file.name), [folder, file.name])
  const { previous, next, at, count } = neighbours
  const src = imageAddress(path, Date.parse(file.modified), { full })
  const pixels = usePixels({ path, file, isImage, shown: natural?.of === src ? natural.pixels : null, whole: full || !twoSizes })
  const isText = useQuery({ ...isTextQuery(path, file), enabled: mayDownload && isPerhapsText(file) }).data === true
  usePreload(neighbours)

  return (
    <PreviewOverlay
      name={file.name}
      meta={
        <>
          {at > 0 && <span>{t('preview.place', { at: formatNumber(at), count: formatNumber(count) })} · </span>}
          <bdi>{leadsNowhere ? t('files.kind.broken') : formatBytes(file.size)}</bdi>
          {pixels !== null && (
            <>
              {' · '}
              <bdi>{t('preview.pixels', { width: String(pixels.width), height: String(pixels.height) })}</bdi>
            </>
          )}
        </>
      }
      hides={isImage || (file.type === 'video' && mayDownload)}
      theme={isImage || (file.type === 'video' && mayDownload) ? previewTheme(file.type) : 'page'}
      edgeToEdge={isImage}
      isQuiet={isAsking}
      onClose={onClose}
      onPrevious={previous && (() => onOpen(previous.path))}
      onNext={next && (() => onOpen(next.path))}
      footer={!phone && folder !== null && at > 0 && count > 1 ? <Filmstrip folder={folder} path={path} onOpen={onOpen} /> : undefined}
      actions={
        <PreviewActions
          {...props}
          full={isImage && twoSizes ? full : null}
          onFull={() => setFullFor(full ? null : path)}
          star={star}
          download={mayDownload ? fileAddress(path) : null}
          onVersions={mayDownload ? props.onVersions : null}
        />
      }
    >
      {isImage ? (
        <ImageViewer
          key={path}
          onBroken={() => (twoSizes && !full ? setFullFor(path) : setBroken(path))}
          onShown={({ naturalWidth: width, naturalHeight: height }) => setNatural({ of: src, pixels: { width, height } })}
          src={src}
          name={file.name}
          onSwipe={(to) => {
            const neighbour = to === 'next' ? next : previous
            if (neighbour !== null) onOpen(neighbour.path)
          }}
        />
      ) : isArchive ? (
        <Suspense fallback={<Spinner size={32} />}>
          <ArchiveStage key={path} file={file} path={path} download={mayDownload ? fileAddress(path) : null} />
        </Suspense>
      ) : (
        <MediaViewer
          key={path}
          file={file}
          viewers={viewers}
          addresses={mayDownload ? addressesOf(path, file) : null}
          pages={{ first: pageIn(hash), onPage: showPage }}
          onOpenAsText={isText ? onOpenAsText : undefined}
          content={
            hasDocumentText(file.name) && (
              <Suspense>
                <DocumentText name={file.name} path={path} modified={Date.parse(file.modified)} />
              </Suspense>
            )
          }
        />
      )}
    </PreviewOverlay>
  )
}

function addressesOf(path: FilePath, file: File): MediaAddresses {
  const modified = Date.parse(file.modified)
  return {
    inline: inlineAddress(path, modified),
    download: fileAddress(path),
    pdf: isOfficeName(file.name) ? pictureAddress('pdf', path, modified) : undefined,
    poster: hasThumbnail(file) ? pictureAddress('big', path, modified) : undefined,
    subtitles: (file.subtitles ?? []).map(parseFilePath).map((subtitle) => ({
      src: address(href(resources.subtitle, { params: { path: subtitle }, query: { inline: 'true' } })),
      name: nameOf(subtitle),
    })),
  }
}

interface PixelsOf {
  path: FilePath
  file: File
  isImage: boolean
  /** Dimensions of the displayed image; null until it has loaded. */
  shown: PixelSize | null
  /** Whether the original is displayed, not a smaller rendition. */
  whole: boolean
}

/** Dimensions of an image: as displayed or, for a smaller rendition, from the file's metadata. */
function usePixels({ path, file, isImage, shown, whole }: PixelsOf): PixelSize | null {
  const asked = isImage && !isServerOnly(path)
  const { data } = useQuery({
    queryKey: ['pixels', path, file.modified],
    queryFn: ({ signal }) => readImageSize(path, { signal }),
    // After the image itself has loaded.
    enabled: asked && !whole && shown !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!asked) return null
  // Vector images have no pixel dimensions.
  if (whole) return /\.svg$/i.test(path) ? null : shown
  return data ?? null
}

/** Preloads the neighbouring images. */
function usePreload({ previous, next }: Neighbours): void {
  // Synchronises with the browser's cache.
  useEffect(() => {
    for (const one of [next, previous]) if (one?.type === 'image') new Image().src = imageAddress(one.path, one.modified)
  }, [previous, next])
}
