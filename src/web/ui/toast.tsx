import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
  /** The time begins only when the person presses a button or a key elsewhere; keys that move the focus do not count. */
  waits?: boolean
  closeLabel: string
  onClose: () => void
  /** Buttons below the text. */
  actions?: ReactNode
}

/** One notice. The bar's animation is the timer, so they always agree. */
export function Toast({ tone, text, detail, more, closesAfterMs, waits = false, closeLabel, onClose, actions }: ToastProps) {
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
      {closesAfterMs !== null && <Clock ms={closesAfterMs} waits={waits} onEnd={onClose} />}
    </div>
  )
}

const MOVES_FOCUS = /^(Tab|Shift|Control|Alt|Meta)$/

function Clock({ ms, waits, onEnd }: { ms: number; waits: boolean; onEnd: () => void }) {
  const clock = useRef<HTMLDivElement>(null)
  const [isWaiting, setIsWaiting] = useState(waits)
  // Hears what is pressed in the rest of the page.
  useEffect(() => {
    if (!isWaiting) return
    const goOn = (event: Event) => {
      const isHere = clock.current?.parentElement?.contains(event.target as Node)
      if (!isHere && !MOVES_FOCUS.test((event as KeyboardEvent).key)) setIsWaiting(false)
    }
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, goOn, true)
    return () => {
      for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, goOn, true)
    }
  }, [isWaiting])
  const style = { animationDuration: `${ms}ms`, ...(isWaiting && { animationPlayState: 'paused' }) }
  return <div ref={clock} className={styles.clock} style={style} onAnimationEnd={onEnd} aria-hidden />
}

function ToneIcon({ tone }: { tone: ToastProps['tone'] }) {
  if (tone === 'working') return <Spinner size={18} />
  if (tone === 'error') return <CircleAlert size={18} />
  return tone === 'success' ? <CircleCheck size={18} /> : <Info size={18} />
}
