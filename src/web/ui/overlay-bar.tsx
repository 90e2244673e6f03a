import { ArrowLeft, type LucideIcon, X } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useEffect, useEffectEvent } from 'react'
import { takeBufferedTyping } from './typing-buffer.ts'
import { IconButton } from './icon-button.tsx'
import styles from './overlay-bar.module.css'
import { usePhone } from './use-media.ts'

export interface OverlayBarProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  ref?: Ref<HTMLInputElement>
  /** Label of the field. */
  label: string
  value: string
  onValue: (value: string) => void
  /** Icon of the overlay; on phones a Back button replaces it. */
  icon: LucideIcon
  clearLabel: string
  onClear: () => void
  closeLabel: string
  /** Name of the key that closes the overlay. */
  closeKey: string
  onClose: () => void
  /** Whether the field has initial focus. */
  isFirst?: boolean
  /** After the field. */
  children?: ReactNode
}

/** Header of an overlay: a full-width field with a button that clears it or, if it is empty, closes the overlay. */
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
  const insert = useEffectEvent(onValue)
  // Inserts text that was typed before the field existed.
  useEffect(() => {
    const typed = takeBufferedTyping()
    if (typed !== '') insert(typed)
  }, [])
  return (
    <div className={styles.bar}>
      {phone ? (
        <IconButton label={closeLabel} icon={<ArrowLeft size={20} {...icon} className="mirror" />} onClick={onClose} />
      ) : (
        <Sign className="rigid muted" size={20} {...icon} aria-hidden />
      )}
      <input
        {...field}
        className={styles.field}
        type="text"
        // Direction of the typed text; the page's while empty.
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
      {value !== '' && <IconButton label={clearLabel} icon={X} onClick={onClear} />}
      {!phone && value === '' && <IconButton label={closeLabel} shortcut={closeKey} icon={X} onClick={onClose} />}
    </div>
  )
}
