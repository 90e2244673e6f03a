import { Download, FileText } from 'lucide-react'
import { type ReactNode, Suspense, useMemo } from 'react'
import type { FileType } from '../../shared/contract/resources.ts'
import { formatBytes, formatDateTime } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { displayName } from './display-name.ts'
import { EntryIcon } from './entry-icon.tsx'
import { kindName } from './kind-name.ts'
import styles from './media-stage.module.css'
import { rememberedPlace } from './viewers/playing.ts'
import { bytesAt } from './viewers/byte-source.ts'
import { VideoPlayer } from './viewers/video-player.tsx'
import { type ViewedKind, viewedKind, type Viewers } from './viewers/viewers.ts'

/** Where the bytes of a file are, for those who may have them. */
export interface MediaAddresses {
  /** Shown in place. */
  readonly inline: string
  /** Saved. */
  readonly download: string
  /** A frame of the film, until it plays. */
  readonly poster?: string | undefined
  readonly subtitles: readonly { readonly src: string; readonly name: string }[]
}

export interface MediaStageProps {
  file: { name: string; size: number; type: FileType; modified: string }
  /** Null without the right to download. */
  addresses: MediaAddresses | null
  viewers: Viewers
  /** Begins by itself, because somebody opened it. */
  autoPlay?: boolean
  /** Shows its bytes as text; not given where that is no use. */
  onOpenAsText?: (() => void) | undefined
}

/** Film, sound and PDF in the browser's own players, fonts and books in ours; everything else as what it is, with a way to take it home. */
export function MediaStage({ file, addresses, viewers, autoPlay = true, onOpenAsText }: MediaStageProps) {
  if (addresses === null || file.type === 'invalid_link') return <Unknown file={file} download={null} onOpenAsText={undefined} />
  const { inline, download } = addresses
  if (file.type === 'video') return <VideoPlayer name={file.name} addresses={addresses} autoPlay={autoPlay} />
  if (file.type === 'audio') {
    return (
      <div className={styles.audio}>
        <EntryIcon name={file.name} type="audio" isDir={false} size={120} />
        <audio src={inline} controls autoPlay={autoPlay} aria-label={file.name} {...rememberedPlace(inline)} />
      </div>
    )
  }
  // A frame that goes elsewhere makes a step of the browser's history; another frame makes none.
  if (file.type === 'pdf' && navigator.pdfViewerEnabled)
    return <iframe key={inline} className={styles.pdf} src={inline} title={file.name} />
  const unknown = <Unknown file={file} download={download} onOpenAsText={onOpenAsText} />
  const kind = viewedKind(file.name)
  return kind === null ? unknown : <Viewed key={inline} kind={kind} file={file} address={inline} viewers={viewers} otherwise={unknown} />
}

interface ViewedProps extends Pick<MediaStageProps, 'file' | 'viewers'> {
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

function Unknown({ file, download, onOpenAsText }: Pick<MediaStageProps, 'file' | 'onOpenAsText'> & { download: string | null }) {
  return (
    <div className={styles.unknown}>
      <EntryIcon name={file.name} type={file.type} isDir={false} size={96} />
      <p className={styles.name}>
        <bdi>{displayName(file.name)}</bdi>
      </p>
      <p className={styles.meta}>
        {kindName({ ...file, isDir: false })} ·{' '}
        {file.type !== 'invalid_link' && (
          <>
            <bdi>{formatBytes(file.size)}</bdi> ·{' '}
          </>
        )}
        <bdi>{formatDateTime(new Date(file.modified))}</bdi>
      </p>
      <p className={styles.meta}>{t(wordFor(file.type, download !== null))}</p>
      <div className={styles.deeds}>
        {download !== null && (
          <a className={buttonLook({ variant: 'primary' })} href={download} download>
            <Download size={18} strokeWidth={1.75} /> {t('preview.download')}
          </a>
        )}
        {download !== null && onOpenAsText !== undefined && (
          <Button icon={<FileText size={18} strokeWidth={1.75} />} onClick={onOpenAsText}>
            {t('preview.as-text')}
          </Button>
        )}
      </div>
    </div>
  )
}

function wordFor(type: FileType, mayDownload: boolean) {
  if (type === 'invalid_link') return 'preview.no-target'
  if (!mayDownload) return 'preview.no-download'
  if (type === 'pdf') return 'preview.no-pdf'
  return type === 'image' ? 'preview.broken' : 'preview.none'
}
