import { formatBytes } from '../../i18n/format.ts'
import { displayName } from '../display-name.ts'
import { EntryIcon } from '../entry-icon.tsx'
import { kindName } from '../kind-name.ts'
import styles from './audio-player.module.css'
import { rememberPlayback } from './playback-position.ts'
import type { Watch } from './playback.ts'
import type { MediaFile } from './viewers.ts'

export interface AudioPlayerProps {
  file: MediaFile
  address: string
  autoPlay: boolean
  watch: Watch
}

/** The browser's audio player. */
export function AudioPlayer({ file, address, autoPlay, watch }: AudioPlayerProps) {
  return (
    <div className={styles.audio} data-part="audio">
      <span className={styles.picture}>
        <EntryIcon name={file.name} type="audio" isDir={false} size={112} />
      </span>
      <div className="grid gap-2 shrinkable">
        <p className="text-title break-anywhere">
          <bdi>{displayName(file.name)}</bdi>
        </p>
        <p className="muted">
          <bdi>{kindName({ ...file, isDir: false })}</bdi> · <bdi>{formatBytes(file.size)}</bdi>
        </p>
      </div>
      <audio src={address} controls autoPlay={autoPlay} aria-label={displayName(file.name)} {...watch} {...rememberPlayback(address)} />
    </div>
  )
}
