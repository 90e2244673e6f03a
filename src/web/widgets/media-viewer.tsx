import { FileText, RotateCw } from 'lucide-react'
import { type ReactNode, Suspense, useMemo } from 'react'
import type { FileType } from '../../shared/contract/resources.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { FileFallback } from './file-fallback.tsx'
import type { PreviewTheme } from './preview-overlay.tsx'
import { AsPdf } from './viewers/as-pdf.tsx'
import { AudioPlayer } from './viewers/audio-player.tsx'
import { bytesAt } from './viewers/byte-source.ts'
import { type PlaybackFailure, usePlaybackFailure } from './viewers/playback.ts'
import { VideoPlayer } from './viewers/video-player.tsx'
import { type MediaAddresses, type MediaFile, type PdfPages, type ViewedKind, viewedKind, type Viewers } from './viewers/viewers.ts'

export interface MediaViewerProps {
  file: MediaFile
  /** Null without the download permission. */
  addresses: MediaAddresses | null
  viewers: Viewers
  /** Starts playing automatically. */
  autoPlay?: boolean
  /** Opens the file as text; absent if that is useless. */
  onOpenAsText?: (() => void) | undefined
  /** Extracted text of a file without a preview. */
  content?: ReactNode
  /** By default a PDF begins with its first page. */
  pages?: PdfPages | undefined
}

/** Dark background for images and videos, the page's for everything else. */
export function previewTheme(type: FileType): PreviewTheme {
  return type === 'image' || type === 'video' ? 'dark' : 'page'
}

/** Shows video and audio with the browser's own players, PDFs, fonts and books with viewers of ours, anything else as a file with Download. */
export function MediaViewer({
  file,
  addresses,
  viewers,
  autoPlay = true,
  onOpenAsText,
  content,
  pages = FROM_THE_FIRST,
}: MediaViewerProps) {
  if (file.type === 'invalid_link') return <FileFallback file={file} reason={t('preview.no-target')} download={null} />
  if (addresses === null) return <FileFallback file={file} reason={t('preview.no-download')} download={null} />
  const { inline, download } = addresses
  if (file.type === 'video' || file.type === 'audio') return <Player key={inline} file={file} addresses={addresses} autoPlay={autoPlay} />
  const asText = onOpenAsText !== undefined && <Button label={t('preview.as-text')} icon={FileText} onClick={onOpenAsText} />
  const unknown = <FileFallback file={file} reason={t(reasonFor(file.type))} download={download} actions={asText} content={content} />
  if (file.type === 'pdf') return <Pdf key={inline} file={file} address={inline} viewers={viewers} otherwise={unknown} pages={pages} />
  if (addresses.pdf !== undefined)
    return (
      <Suspense fallback={<Spinner size={32} />}>
        <AsPdf key={addresses.pdf} name={file.name} address={addresses.pdf} viewers={viewers} pages={pages} otherwise={unknown} />
      </Suspense>
    )
  const kind = viewedKind(file.name)
  return kind === null ? unknown : <Viewed key={inline} kind={kind} file={file} address={inline} viewers={viewers} otherwise={unknown} />
}

/** The player, or a fallback if it cannot play the file. */
function Player({ file, addresses, autoPlay }: { file: MediaFile; addresses: MediaAddresses; autoPlay: boolean }) {
  const { failure, watch, retry } = usePlaybackFailure()
  const sort = file.type === 'audio' ? 'audio' : 'video'
  if (failure !== null) {
    const again = failure === 'interrupted' && <Button label={t('action.retry')} icon={RotateCw} onClick={retry} />
    return (
      <div className="full-width full-height shrinkable-block" role="alert">
        <FileFallback file={file} reason={t(REASONS[sort][failure])} download={addresses.download} actions={again} />
      </div>
    )
  }
  if (sort === 'audio') return <AudioPlayer file={file} address={addresses.inline} autoPlay={autoPlay} watch={watch} />
  return <VideoPlayer name={file.name} addresses={addresses} autoPlay={autoPlay} watch={watch} />
}

const FROM_THE_FIRST: PdfPages = { first: 1, onPage: () => undefined }

const REASONS = {
  audio: { unplayable: 'preview.unplayable.audio', interrupted: 'preview.interrupted' },
  video: { unplayable: 'preview.unplayable.video', interrupted: 'preview.interrupted' },
} as const satisfies Record<'audio' | 'video', Record<PlaybackFailure, string>>

function Pdf({ file, address, viewers, otherwise, pages }: Omit<ViewedProps, 'kind'> & { pages: PdfPages }) {
  const source = useMemo(() => bytesAt(address, file.size), [address, file.size])
  return (
    <Suspense fallback={<Spinner size={32} />}>
      <viewers.pdf name={file.name} source={source} address={address} otherwise={otherwise} {...pages} />
    </Suspense>
  )
}

interface ViewedProps extends Pick<MediaViewerProps, 'file' | 'viewers'> {
  kind: ViewedKind
  address: string
  otherwise: ReactNode
}

function Viewed({ kind, file, address, viewers, otherwise }: ViewedProps) {
  const source = useMemo(() => bytesAt(address, file.size), [address, file.size])
  const Viewer = viewers[kind]
  return (
    <Suspense fallback={<Spinner size={32} />}>
      <Viewer name={file.name} source={source} otherwise={otherwise} />
    </Suspense>
  )
}

function reasonFor(type: FileType) {
  if (type === 'pdf') return 'preview.no-pdf'
  return type === 'image' ? 'preview.broken' : 'preview.none'
}
