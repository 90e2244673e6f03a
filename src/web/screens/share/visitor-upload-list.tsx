import { CircleAlert, CircleCheck, RotateCw, X } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { nameOf } from '../../../shared/file-path.ts'
import type { Upload, UploadState } from '../../data/uploads/queue.ts'
import { cancelVisitorUpload, clearVisitorUploads, retryVisitorUpload, useVisitorUploads } from '../../data/uploads/visitor-uploads.ts'
import { useRefresh } from '../../data/shared-resource.ts'
import { formatBytes } from '../../i18n/format.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useKeepFocus } from '../../ui/use-keep-focus.ts'
import { displayName } from '../../widgets/display-name.ts'
import { FileName } from '../../widgets/file-name.tsx'
import styles from './visitor-upload-list.module.css'

/** Uploads of a visitor with progress and actions; clearable on pages that have no other way to remove the list. */
export function VisitorUploadList({ hash, clearable = false }: { hash: string; clearable?: boolean }) {
  const refresh = useRefresh(hash)
  const all = useVisitorUploads(hash)
  const arrived = all.filter(({ state }) => state === 'done').length
  const told = useRef(arrived)
  const held = useKeepFocus<HTMLUListElement>()
  useEffect(() => {
    if (arrived > told.current) void refresh()
    told.current = arrived
  }, [arrived, refresh])
  if (all.length === 0) return null
  return (
    <>
      <ul {...held} className={styles.list} aria-label={t('drop.list')} data-part="send-list">
        {all.map((sending) => (
          <VisitorUploadRow key={sending.id} hash={hash} sending={sending} />
        ))}
      </ul>
      {clearable && arrived === all.length && (
        <div className={styles.foot}>
          <Button label={t('drop.clear')} size="small" variant="quiet" onClick={() => clearVisitorUploads(hash)} />
        </div>
      )}
    </>
  )
}

const VisitorUploadRow = memo(function SendRow({ hash, sending }: { hash: string; sending: Upload }) {
  const { id, path, size, sent, state, offline } = sending
  const name = displayName(nameOf(path))
  return (
    <li className={styles.row} data-state={state}>
      <StateIcon state={state} />
      <div className={styles.words}>
        <p className="grid items-start text-name">
          <FileName name={nameOf(path)} />
        </p>
        <p className={styles.detail}>{detailOf(sending)}</p>
        {state === 'active' && (
          <Progress label={t('drop.progress', { name })} value={size === 0 ? 1 : sent / size} tone={offline ? 'warning' : 'accent'} />
        )}
      </div>
      {state === 'failed' && <IconButton label={t('drop.retry', { name })} icon={RotateCw} onClick={() => retryVisitorUpload(hash, id)} />}
      {state !== 'done' && <IconButton label={t('drop.cancel', { name })} icon={X} onClick={() => cancelVisitorUpload(hash, id)} />}
    </li>
  )
})

function StateIcon({ state }: { state: UploadState }) {
  const look = { size: 20, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }
  if (state === 'done') return <CircleCheck {...look} />
  return state === 'failed' ? <CircleAlert {...look} /> : <span className={styles.dot} aria-hidden />
}

function detailOf({ state, size, sent, error, offline }: Upload): string {
  if (state === 'failed') return errorText(error)
  if (state === 'done') return `${t('drop.arrived')} · ${formatBytes(size)}`
  if (state === 'waiting') return `${t('drop.waiting')} · ${formatBytes(size)}`
  return offline ? t('drop.away') : t('drop.sent', { sent: formatBytes(sent), size: formatBytes(size) })
}
