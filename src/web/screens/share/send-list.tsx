import { CircleAlert, CircleCheck, RotateCw, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cancelSending, retrySending, type Sending, useSendings } from '../../data/uploads/sending.ts'
import { useRefresh } from '../../data/visit.ts'
import { formatBytes } from '../../i18n/format.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { displayName } from '../../widgets/display-name.ts'
import styles from './send-list.module.css'

/** What a visitor sends, each with how far it is and the way on. */
export function SendList({ hash }: { hash: string }) {
  const refresh = useRefresh(hash)
  const all = useSendings(hash)
  const arrived = all.filter(({ state }) => state === 'done').length
  const open = all.some(({ state }) => state === 'active' || state === 'waiting')
  const told = useRef(arrived)
  useEffect(() => {
    if (arrived > told.current) void refresh()
    told.current = arrived
  }, [arrived, refresh])
  // Talks to the browser's tab: closing it would break off what is on its way.
  useEffect(() => {
    if (!open) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => removeEventListener('beforeunload', onUnload)
  }, [open])
  if (all.length === 0) return null
  return (
    <ul className={styles.list} aria-label={t('drop.list')} data-part="send-list">
      {all.map((sending) => (
        <SendRow key={sending.id} sending={sending} />
      ))}
    </ul>
  )
}

function SendRow({ sending }: { sending: Sending }) {
  const { id, size, sent, state, away } = sending
  const name = displayName(sending.name)
  return (
    <li className={styles.row} data-state={state}>
      <StateIcon state={state} />
      <div className={styles.words}>
        <p className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className={styles.detail}>{detailOf(sending)}</p>
        {state === 'active' && (
          <Progress label={t('drop.progress', { name })} value={size === 0 ? 1 : sent / size} tone={away ? 'warning' : 'accent'} />
        )}
      </div>
      {state === 'failed' && (
        <IconButton label={t('drop.retry', { name })} icon={<RotateCw size={18} strokeWidth={1.75} />} onClick={() => retrySending(id)} />
      )}
      {state !== 'done' && (
        <IconButton label={t('drop.cancel', { name })} icon={<X size={18} strokeWidth={1.75} />} onClick={() => cancelSending(id)} />
      )}
    </li>
  )
}

function StateIcon({ state }: { state: Sending['state'] }) {
  const look = { size: 20, strokeWidth: 1.75, 'aria-hidden': true, className: styles.icon }
  if (state === 'done') return <CircleCheck {...look} />
  return state === 'failed' ? <CircleAlert {...look} /> : <span className={styles.dot} aria-hidden />
}

function detailOf({ state, size, sent, error, away }: Sending): string {
  if (state === 'failed') return errorText(error)
  if (state === 'done') return `${t('drop.arrived')} · ${formatBytes(size)}`
  if (state === 'waiting') return `${t('drop.waiting')} · ${formatBytes(size)}`
  return away ? t('drop.away') : t('drop.sent', { sent: formatBytes(sent), size: formatBytes(size) })
}
