import { Captions, Gauge } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { displayName } from '../display-name.ts'
import type { MediaAddresses } from './viewers.ts'
import { rememberPlayback } from './playback-position.ts'
import type { Watch } from './playback.ts'
import styles from './video-player.module.css'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

export interface VideoPlayerProps {
  name: string
  addresses: MediaAddresses
  autoPlay: boolean
  watch: Watch
}

/** The browser's video player, with subtitle and speed menus, which not every browser has. */
export function VideoPlayer({ name, addresses, autoPlay, watch }: VideoPlayerProps) {
  const { inline, poster, subtitles } = addresses
  const video = useRef<HTMLVideoElement>(null)
  const [shown, setShown] = useState(subtitles.length > 0 ? 0 : -1)
  const [speed, setSpeed] = useState(1)
  const [isOnlySound, setOnlySound] = useState(false)
  const remembered = rememberPlayback(inline)
  const { ref: watchRef } = watch
  const place = useCallback(
    (element: HTMLVideoElement | null) => {
      video.current = element
      void watchRef(element)
    },
    [watchRef],
  )

  // Text tracks are selected through their mode.
  const showTrack = () => {
    for (const [at, track] of [...(video.current?.textTracks ?? [])].entries()) track.mode = at === shown ? 'showing' : 'disabled'
  }
  useEffect(showTrack, [shown])
  useEffect(() => {
    if (video.current !== null) video.current.playbackRate = speed
  }, [speed])

  return (
    <div className={styles.player}>
      <video
        ref={place}
        className={styles.video}
        src={inline}
        poster={poster}
        controls
        autoPlay={autoPlay}
        playsInline
        aria-label={displayName(name)}
        onError={watch.onError}
        {...remembered}
        onLoadedMetadata={(event) => {
          remembered.onLoadedMetadata(event)
          // By then the browser has selected tracks by the languages of the person.
          showTrack()
          // Audio decodes, but video does not.
          setOnlySound(event.currentTarget.videoWidth === 0)
        }}
      >
        {subtitles.map((subtitle, at) => (
          <track key={subtitle.src} kind="subtitles" src={subtitle.src} label={subtitleLabel(subtitle.name, name)} default={at === 0} />
        ))}
      </video>
      {isOnlySound && (
        <p className={styles.word} role="status">
          {t('preview.only-sound')}
        </p>
      )}
      <div className={styles.tools} data-controls>
        {subtitles.length > 0 && (
          <Menu
            label={t('preview.subtitles')}
            align="end"
            entries={() => [
              { kind: 'action', id: 'off', label: t('preview.subtitles.off'), checked: shown < 0, onSelect: () => setShown(-1) },
              ...subtitles.map((subtitle, at) => ({
                kind: 'action' as const,
                id: subtitle.src,
                label: subtitleLabel(subtitle.name, name),
                checked: at === shown,
                onSelect: () => setShown(at),
              })),
            ]}
            trigger={(props) => (
              <IconButton {...props} label={t('preview.subtitles')} icon={Captions} iconSize={20} className={styles.tool} />
            )}
          />
        )}
        <Menu
          label={t('preview.speed')}
          align="end"
          entries={() =>
            SPEEDS.map((one) => ({
              kind: 'action' as const,
              id: String(one),
              label: t('preview.speed.times', { speed: formatNumber(one) }),
              checked: one === speed,
              onSelect: () => setSpeed(one),
            }))
          }
          trigger={(props) => <IconButton {...props} label={t('preview.speed')} icon={Gauge} iconSize={20} className={styles.tool} />}
        />
      </div>
    </div>
  )
}

/** `Film.de.srt` beside `Film.mkv` is labelled `de`. */
function subtitleLabel(name: string, video: string): string {
  const base = video.replace(/\.[^.]*$/, '')
  const rest = (name.startsWith(base) ? name.slice(base.length) : name).replace(/\.[^.]*$/, '').replace(/^[._-]+/, '')
  return rest === '' ? t('preview.subtitles') : displayName(rest)
}
