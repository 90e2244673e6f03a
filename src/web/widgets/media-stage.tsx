import { Download } from 'lucide-react'
import type { FileType } from '../../shared/contract/resources.ts'
import { formatBytes } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'
import { buttonLook } from '../ui/button.tsx'
import { displayName } from './display-name.ts'
import { EntryIcon } from './entry-icon.tsx'
import styles from './media-stage.module.css'

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
  file: { name: string; size: number; type: FileType }
  /** Null without the right to download. */
  addresses: MediaAddresses | null
  /** Begins by itself, because somebody opened it. */
  autoPlay?: boolean
}

/** Film, sound and PDF in the browser's own players; everything else as what it is, with a way to take it home. */
export function MediaStage({ file, addresses, autoPlay = true }: MediaStageProps) {
  if (addresses === null) return <Unknown file={file} download={null} />
  const { inline, poster, subtitles } = addresses
  if (file.type === 'video') {
    return (
      <video className={styles.video} src={inline} poster={poster} controls autoPlay={autoPlay} playsInline aria-label={file.name}>
        {subtitles.map(({ src, name }, at) => (
          <track key={src} kind="subtitles" src={src} label={subtitleLabel(name, file.name)} default={at === 0} />
        ))}
      </video>
    )
  }
  if (file.type === 'audio') {
    return (
      <div className={styles.audio}>
        <EntryIcon name={file.name} type="audio" isDir={false} size={120} />
        <audio src={inline} controls autoPlay={autoPlay} aria-label={file.name} />
      </div>
    )
  }
  if (file.type === 'pdf') return <iframe className={styles.pdf} src={inline} title={file.name} />
  return <Unknown file={file} download={addresses.download} />
}

function Unknown({ file, download }: { file: MediaStageProps['file']; download: string | null }) {
  return (
    <div className={styles.unknown}>
      <EntryIcon name={file.name} type={file.type} isDir={false} size={96} />
      <p className={styles.name}>
        <bdi>{displayName(file.name)}</bdi>
      </p>
      <p className={styles.meta}>
        <bdi>{formatBytes(file.size)}</bdi> · {t(wordFor(file.type, download !== null))}
      </p>
      {download !== null && (
        <a className={buttonLook({ variant: 'primary' })} href={download} download>
          <Download size={18} strokeWidth={1.75} /> {t('preview.download')}
        </a>
      )}
    </div>
  )
}

function wordFor(type: FileType, mayDownload: boolean) {
  if (!mayDownload) return 'preview.no-download'
  return type === 'image' ? 'preview.broken' : 'preview.none'
}

/** `Film.de.srt` beside `Film.mkv` is called `de`. */
function subtitleLabel(name: string, video: string): string {
  const base = video.replace(/\.[^.]*$/, '')
  const rest = (name.startsWith(base) ? name.slice(base.length) : name).replace(/\.[^.]*$/, '').replace(/^[._-]+/, '')
  return rest === '' ? t('preview.subtitles') : rest
}
