import { Download } from 'lucide-react'
import { href } from '../../../../shared/contract/endpoint.ts'
import { api } from '../../../../shared/contract/index.ts'
import type { File } from '../../../../shared/contract/resources.ts'
import { type FilePath, nameOf, parseFilePath } from '../../../../shared/file-path.ts'
import { address } from '../../../data/client.ts'
import { inlineAddress } from '../../../data/inline.ts'
import { hasThumbnail, pictureAddress } from '../../../data/pictures.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { buttonLook } from '../../../ui/button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import styles from './media-stage.module.css'

/** Film, sound and PDF in the browser's own players; everything else as what it is, with a way to take it home. */
export function MediaStage({ file, path, mayDownload }: { file: File; path: FilePath; mayDownload: boolean }) {
  if (!mayDownload) return <Unknown file={file} path={path} mayDownload={false} />
  const src = inlineAddress(path, Date.parse(file.modified))
  if (file.type === 'video') {
    return (
      <video className={styles.video} src={src} poster={posterOf(path, file)} controls autoPlay playsInline aria-label={file.name}>
        {(file.subtitles ?? []).map((subtitle, at) => (
          <track
            key={subtitle}
            kind="subtitles"
            src={subtitleAddress(subtitle)}
            label={subtitleLabel(subtitle, file.name)}
            default={at === 0}
          />
        ))}
      </video>
    )
  }
  if (file.type === 'audio') {
    return (
      <div className={styles.audio}>
        <EntryIcon name={file.name} type="audio" isDir={false} size={120} />
        <audio src={src} controls autoPlay aria-label={file.name} />
      </div>
    )
  }
  if (file.type === 'pdf') return <iframe className={styles.pdf} src={src} title={file.name} />
  return <Unknown file={file} path={path} mayDownload />
}

/** A frame of the film, until it plays. */
function posterOf(path: FilePath, file: File): string | undefined {
  return hasThumbnail(file) ? pictureAddress('big', path, Date.parse(file.modified)) : undefined
}

function Unknown({ file, path, mayDownload }: { file: File; path: FilePath; mayDownload: boolean }) {
  return (
    <div className={styles.unknown}>
      <EntryIcon name={file.name} type={file.type} isDir={false} size={96} />
      <p className={styles.name}>
        <bdi>{displayName(file.name)}</bdi>
      </p>
      <p className={styles.meta}>
        <bdi>{formatBytes(file.size)}</bdi> · {t(wordFor(file, mayDownload))}
      </p>
      {mayDownload && (
        <a className={buttonLook({ variant: 'primary' })} href={address(href(api.raw.get, { params: { path } }))} download>
          <Download size={18} strokeWidth={1.75} /> {t('preview.download')}
        </a>
      )}
    </div>
  )
}

function wordFor({ type }: File, mayDownload: boolean) {
  if (!mayDownload) return 'preview.no-download'
  return type === 'image' ? 'preview.broken' : 'preview.none'
}

function subtitleAddress(subtitle: string): string {
  return address(href(api.resources.subtitle, { params: { path: parseFilePath(subtitle) }, query: { inline: 'true' } }))
}

/** `Film.de.srt` beside `Film.mkv` is called `de`. */
function subtitleLabel(subtitle: string, video: string): string {
  const name = nameOf(parseFilePath(subtitle))
  const base = video.replace(/\.[^.]*$/, '')
  const rest = (name.startsWith(base) ? name.slice(base.length) : name).replace(/\.[^.]*$/, '').replace(/^[._-]+/, '')
  return rest === '' ? t('preview.subtitles') : rest
}
