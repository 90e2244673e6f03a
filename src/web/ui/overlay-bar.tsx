import { ArrowLeft, type LucideIcon, X } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { takeBufferedTyping } from './typing-buffer.ts'
import { IconButton } from './icon-button.tsx'
import styles from './overlay-bar.module.css'
import { usePhone } from './use-media.ts'

export interface OverlayBarProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  ref?: Ref<HTMLInputElement>
  /** What one types here. */
  label: string
  value: string
  onValue: (value: string) => void
  /** What this overlay is; on a phone the way back stands in its place. */
  icon: LucideIcon
  clearLabel: string
  onClear: () => void
  closeLabel: string
  /** What the key is called that closes it. */
  closeKey: string
  onClose: () => void
  /** Whether the focus comes here first. */
  isFirst?: boolean
  /** After the field. */
  children?: ReactNode
}

/** The head of an overlay: a field over its whole width, and at its end what clears it or, while it is empty, closes all of it. */
export function OverlayBar(props: OverlayBarProps) {
  const {
    label,
    value,
    onValue,
    icon: Sign,
    clearLabel,
    onClear,
    closeLabel,
    closeKey,
    onClose,
    isFirst = true,
    children,
    ...field
  } = props
  const phone = usePhone()
  const icon = { strokeWidth: 1.75 }
  const latest = useRef(onValue)
  useEffect(() => {
    latest.current = onValue
  })
  // What was typed before this was there.
  useEffect(() => {
    const typed = takeBufferedTyping()
    if (typed !== '') latest.current(typed)
  }, [])
  return (
    <div className={styles.bar}>
      {phone ? (
        <IconButton label={closeLabel} icon={<ArrowLeft size={20} {...icon} className="mirror" />} onClick={onClose} />
      ) : (
        <Sign className={styles.sign} size={20} {...icon} aria-hidden />
      )}
      <input
        {...field}
        className={styles.field}
        type="text"
        // What is typed has its own direction; until then it is the page's.
        dir={value === '' ? undefined : 'auto'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        data-autofocus={isFirst || undefined}
      />
      {children}
      {value !== '' && <IconButton label={clearLabel} icon={<X size={18} {...icon} />} onClick={onClear} />}
      {!phone && value === '' && <IconButton label={closeLabel} shortcut={closeKey} icon={<X size={18} {...icon} />} onClick={onClose} />}
    </div>
  )
}
