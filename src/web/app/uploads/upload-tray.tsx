import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, CircleSlash, RotateCw, X } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import { hasStopped, isOpen, type Upload } from '../../data/uploads/queue.ts'
import { cancelUpload, cancelUploads, clearUploads, retryUpload, retryUploads, useUploads } from '../../data/uploads/uploads.ts'
import { formatBytes, formatDuration } from '../../i18n/format.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { summarise, toShow } from './tray.ts'
import styles from './upload-tray.module.css'

/** The corner where uploads live while people go on working: each with its progress, all of them with speed and time left. */
export function UploadTray() {
  const some = useUploads((state) => state.uploads.length > 0)
  return some && <Tray />
}

function Tray() {
  const uploads = useUploads((state) => state.uploads)
  const phone = usePhone()
  // A phone has room for one line; the rest is a tap away.
  const [open, setOpen] = useState(!phone)
  const tray = useRef<HTMLElement>(null)
  useRoomForTray(tray)
  const summary = summarise(uploads)
  const { shown, more } = toShow(uploads)
  return (
    <section ref={tray} className={styles.tray} aria-label={t('upload.region')} data-part="tray">
      <header className={styles.head}>
        <h2 className={styles.title}>{titleOf(summary)}</h2>
        <Pace />
        <IconButton
          size="small"
          label={open ? t('upload.collapse') : t('upload.expand')}
          icon={open ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        {summary.open === 0 && <IconButton size="small" label={t('upload.hide')} icon={<X size={18} />} onClick={clearUploads} />}
      </header>
      {summary.open > 0 && (!open || summary.count > 1) && (
        <Progress label={t('upload.progress-all')} value={summary.bytes === 0 ? null : summary.sent / summary.bytes} />
      )}
      {open && (
        <ul className={styles.list}>
          {shown.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {more > 0 && <li className={styles.more}>{t('upload.more', { count: more })}</li>}
        </ul>
      )}
      {open && (summary.open > 1 || summary.stopped > 1) && (
        <footer className={styles.foot}>
          {summary.stopped > 1 && (
            <Button size="small" variant="quiet" onClick={retryUploads}>
              {t('upload.retry-all')}
            </Button>
          )}
          {summary.open > 1 && (
            <Button size="small" variant="quiet" onClick={cancelUploads}>
              {t('upload.cancel-all')}
            </Button>
          )}
        </footer>
      )}
    </section>
  )
}

/** Dock, New button and notices make room: the tray's height is theirs to know as `--tray`. */
function useRoomForTray(tray: { current: HTMLElement | null }): void {
  useEffect(() => {
    const element = tray.current
    if (element === null) return
    const root = document.documentElement
    const observer = new ResizeObserver(() => root.style.setProperty('--tray', `${element.offsetHeight + 12}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--tray')
    }
  }, [tray])
}

function Pace() {
  const speed = useUploads((state) => state.speed)
  const remaining = useUploads((state) => state.remaining)
  if (speed <= 0) return null
  return (
    <p className={styles.pace}>
      <bdi>{t('upload.speed', { speed: formatBytes(speed) })}</bdi>
      {remaining !== null && <bdi> · {t('upload.left', { time: formatDuration(remaining) })}</bdi>}
    </p>
  )
}

const UploadRow = memo(function UploadRow({ upload }: { upload: Upload }) {
  const { id, path, size, sent, state } = upload
  const name = displayName(nameOf(path))
  return (
    <li className={styles.row} data-state={state}>
      <StateIcon state={state} />
      <div className={styles.words}>
        <p className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className={styles.detail}>{detailOf(upload)}</p>
        {upload.state === 'failed' && <Output text={errorOutput(upload.error)} />}
        {state === 'active' && <Progress label={t('upload.progress', { name })} value={size === 0 ? 1 : sent / size} />}
      </div>
      {isOpen(state) && <IconButton size="small" label={t('upload.cancel')} icon={<X size={16} />} onClick={() => cancelUpload(id)} />}
      {hasStopped(state) && (
        <IconButton size="small" label={t('upload.retry')} icon={<RotateCw size={16} />} onClick={() => retryUpload(id)} />
      )}
    </li>
  )
})

/** What a command said that stopped it. */
function Output({ text }: { text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <details className={styles.output}>
      <summary>{t('frame.notices.output')}</summary>
      <pre>{text}</pre>
    </details>
  )
}

function StateIcon({ state }: { state: Upload['state'] }) {
  const look = { size: 18, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }
  if (state === 'done') return <CircleCheck {...look} />
  if (state === 'failed') return <CircleAlert {...look} />
  if (state === 'skipped' || state === 'cancelled') return <CircleSlash {...look} />
  return <span className={styles.dot} aria-hidden />
}

function detailOf({ state, size, sent, error }: Upload): string {
  if (state === 'active') return t('upload.sent', { sent: formatBytes(sent), size: formatBytes(size) })
  if (state === 'failed') return errorText(error)
  return state === 'done' ? formatBytes(size) : t(`upload.${state}`)
}

function titleOf({ open, done, failed, count }: ReturnType<typeof summarise>): string {
  if (open > 0) return t('upload.title.active', { done, count })
  if (failed > 0) return t('upload.title.failed', { count: failed })
  return done > 0 ? t('upload.title.done', { count: done }) : t('upload.title.stopped')
}
