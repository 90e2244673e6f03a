import { CircleAlert, CircleCheck, CirclePause, CircleSlash, GripVertical, MessageSquareText, Pause, Play, RotateCw, X } from 'lucide-react'
import { memo, type PointerEvent } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import { hasStopped, isMoving, isOpen, type Upload } from '../../data/uploads/queue.ts'
import { cancelUpload, pauseUpload, resumeUpload, retryUpload } from '../../data/uploads/uploads.ts'
import { formatBytes } from '../../i18n/format.ts'
import { errorOutput, errorText, t } from '../../i18n/i18n.tsx'
import { keysText } from '../../i18n/keys.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { classes } from '../../ui/classes.ts'
import styles from './upload-tray.module.css'

export interface UploadRowProps {
  upload: Upload
  /** From 1, among all uploads; only visible ones are rendered. */
  position: number
  count: number
  dragged: boolean
  /** The drag handle was pressed. */
  onGrab: (event: PointerEvent, upload: Upload) => void
}

/** One upload. */
export const UploadRow = memo(function UploadRow({ upload, position, count, dragged, onGrab }: UploadRowProps) {
  const { id, path, size, sent, state, offline } = upload
  const name = displayName(nameOf(path))
  const detail = detailOf(upload)
  return (
    <li
      className={styles.row}
      data-state={state}
      data-upload={id}
      data-dragged={dragged || undefined}
      aria-posinset={position}
      aria-setsize={count}
    >
      {state === 'waiting' ? <DragHandle name={name} onGrab={(event) => onGrab(event, upload)} /> : <StateIcon state={state} />}
      <div className={styles.words}>
        <p className={classes(styles.name, 'truncated')} title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className={classes(styles.detail, 'truncated')} title={detail}>
          {detail}
        </p>
        {state === 'active' && (
          <Progress label={t('upload.progress', { name })} value={size === 0 ? 1 : sent / size} tone={offline ? 'warning' : 'accent'} />
        )}
      </div>
      {isMoving(state) && (
        <IconButton size="small" label={t('upload.pause', { name })} icon={<Pause size={16} />} onClick={() => pauseUpload(id)} />
      )}
      {state === 'paused' && (
        <IconButton size="small" label={t('upload.resume', { name })} icon={<Play size={16} />} onClick={() => resumeUpload(id)} />
      )}
      {isOpen(state) && <IconButton size="small" label={t('upload.cancel')} icon={<X size={16} />} onClick={() => cancelUpload(id)} />}
      {state === 'failed' && <Output id={id} text={errorOutput(upload.error)} />}
      {hasStopped(state) && (
        <IconButton size="small" label={t('upload.retry')} icon={<RotateCw size={16} />} onClick={() => retryUpload(id)} />
      )}
    </li>
  )
})

function DragHandle({ name, onGrab }: { name: string; onGrab: (event: PointerEvent) => void }) {
  return (
    <button
      type="button"
      className={styles.handle}
      aria-label={t('upload.move', { name })}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      data-tooltip={t('upload.move', { name })}
      data-tooltip-shortcut={keysText('Alt', '↑', '↓')}
      onPointerDown={onGrab}
    >
      <GripVertical size={18} strokeWidth={1.75} aria-hidden />
    </button>
  )
}

/** Output of the hook that rejected the upload. Shown in a popover, because all rows have the same height. */
function Output({ id, text }: { id: number; text: string | undefined }) {
  if (text === undefined || text === '') return null
  const said = `upload-output-${id}`
  return (
    <>
      <IconButton size="small" label={t('frame.notices.output')} icon={<MessageSquareText size={16} />} popoverTarget={said} />
      <pre id={said} popover="auto" tabIndex={0} className={styles.output} aria-label={t('frame.notices.output')}>
        {text}
      </pre>
    </>
  )
}

function StateIcon({ state }: { state: Upload['state'] }) {
  const look = { size: 18, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }
  if (state === 'done') return <CircleCheck {...look} />
  if (state === 'failed') return <CircleAlert {...look} />
  if (state === 'paused') return <CirclePause {...look} />
  if (state === 'skipped' || state === 'cancelled') return <CircleSlash {...look} />
  return <span className={styles.dot} aria-hidden />
}

function detailOf({ state, size, sent, error, offline }: Upload): string {
  const amounts = { sent: formatBytes(sent), size: formatBytes(size) }
  if (state === 'active') return offline ? t('upload.away') : t('upload.sent', amounts)
  if (state === 'paused') return t('upload.paused', amounts)
  if (state === 'failed') return errorText(error)
  return state === 'done' ? formatBytes(size) : t(`upload.${state}`)
}
