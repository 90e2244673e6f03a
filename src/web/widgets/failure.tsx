import { CloudOff, FileQuestion, type LucideIcon, ShieldX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isAppError } from '../../shared/errors.ts'
import { errorText, type MessageKey, t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import styles from './failure.module.css'

export type FailureKind = 'forbidden' | 'not-found' | 'offline' | 'slow' | 'server'

interface FailureLook {
  icon: LucideIcon
  code: string | null
  title: MessageKey
  /** Null: what the error says. */
  text: MessageKey | null
}

const LOOKS: Record<FailureKind, FailureLook> = {
  forbidden: { icon: ShieldX, code: '403', title: 'errors.forbidden.title', text: 'errors.forbidden.text' },
  'not-found': { icon: FileQuestion, code: '404', title: 'errors.not-found.title', text: 'errors.not-found.text' },
  offline: { icon: CloudOff, code: null, title: 'errors.offline.title', text: null },
  slow: { icon: CloudOff, code: null, title: 'errors.slow.title', text: 'errors.slow.text' },
  server: { icon: TriangleAlert, code: '500', title: 'errors.server.title', text: 'errors.server.text' },
}

export interface FailureProps {
  kind: FailureKind
  /** For the collapsed details. */
  error?: unknown
  onRetry?: (() => void) | undefined
  /** A link to leave the page. */
  children?: ReactNode
}

/** Whether trying again is more likely to help than leaving the page. */
export function isTemporary(kind: FailureKind): boolean {
  return kind === 'offline' || kind === 'slow'
}

/** Error page: message, Retry, and technical details. */
export function Failure({ kind, error, onRetry, children }: FailureProps) {
  const look = LOOKS[kind]
  const details = look.text && detailsOf(error)
  return (
    <div className={styles.failure} data-part="failure" data-kind={kind} role="alert">
      <span className={styles.icon} aria-hidden>
        <look.icon size={34} strokeWidth={1.6} />
      </span>
      <h1 className={styles.title}>
        {look.code && <span className={styles.code}>{look.code}</span>}
        {t(look.title)}
      </h1>
      <p className={styles.text}>{look.text ? t(look.text) : errorText(error)}</p>
      <div className={styles.actions}>
        {onRetry && (
          <Button label={t('action.retry')} variant={children && !isTemporary(kind) ? 'secondary' : 'primary'} onClick={onRetry} />
        )}
        {children}
      </div>
      {details && (
        <details className={styles.details}>
          <summary>{t('errors.details')}</summary>
          <pre dir="ltr">{details}</pre>
        </details>
      )}
    </div>
  )
}

/** The kind of error page for an error. */
export function failureKind(error: unknown): FailureKind {
  if (!isAppError(error)) return 'server'
  if (error.code === 'not-found' || error.code === 'invalid-input') return 'not-found'
  if (error.code === 'forbidden' || error.code === 'download-refused') return 'forbidden'
  return error.code === 'offline' || error.code === 'storage-busy' ? 'offline' : 'server'
}

function detailsOf(error: unknown): string | null {
  if (isAppError(error, 'not-found') || isAppError(error, 'forbidden')) return null
  if (isAppError(error, 'unexpected'))
    return error.detail.incident === '' ? null : t('errors.incident', { incident: error.detail.incident })
  if (isAppError(error)) return errorText(error)
  return error instanceof Error ? `${error.name}: ${error.message}` : null
}
