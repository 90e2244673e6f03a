import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { Spinner } from './spinner.tsx'
import styles from './toast.module.css'

export interface ToastProps {
  tone: 'success' | 'info' | 'error' | 'working'
  text: string
  detail?: string
  /** Collapsible long text. */
  more?: { label: string; text: string }
  /** Closes after this time, shown as a progress bar; hover and focus pause it. Null: stays. */
  closesAfterMs: number | null
  closeLabel: string
  onClose: () => void
  /** Buttons below the text. */
  actions?: ReactNode
}

/** One notice. The bar's animation is the timer, so they always agree. */
export function Toast({ tone, text, detail, more, closesAfterMs, closeLabel, onClose, actions }: ToastProps) {
  return (
    <div className={classes(styles.toast, styles[tone])} data-part="notice" data-tone={tone}>
      <span className={styles.icon} aria-hidden>
        <ToneIcon tone={tone} />
      </span>
      <div className={styles.words}>
        <p className={styles.text}>{text}</p>
        {detail && <p className="text-small muted">{detail}</p>}
        {more && (
          <details className={styles.more}>
            <summary>{more.label}</summary>
            <pre>{more.text}</pre>
          </details>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {tone !== 'working' && (
        <IconButton size="small" label={closeLabel} icon={<X size={16} />} onClick={onClose} className={styles.close} />
      )}
      {closesAfterMs !== null && (
        <div className={styles.clock} style={{ animationDuration: `${closesAfterMs}ms` }} onAnimationEnd={onClose} aria-hidden />
      )}
    </div>
  )
}

function ToneIcon({ tone }: { tone: ToastProps['tone'] }) {
  if (tone === 'working') return <Spinner size={18} />
  if (tone === 'error') return <CircleAlert size={18} />
  return tone === 'success' ? <CircleCheck size={18} /> : <Info size={18} />
}
