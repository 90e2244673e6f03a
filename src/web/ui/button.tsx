import type { ButtonHTMLAttributes, Ref } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { type ButtonIcon, DrawnIcon } from './drawn-icon.tsx'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'disabled'> {
  label: string
  ref?: Ref<HTMLButtonElement>
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'small' | 'large'
  icon?: ButtonIcon | undefined
  iconSize?: number
  /** An operation is running: the label stays, clicks are ignored. */
  busy?: boolean
  /** Why the button is unavailable, as a tooltip; the button stays focusable. */
  disabledReason?: string | null
  disabled?: boolean
  /** Fills the width of its container. */
  wide?: boolean
}

export function Button(props: ButtonProps) {
  const {
    label,
    variant = 'secondary',
    size = 'normal',
    icon,
    iconSize = size === 'small' ? 16 : 18,
    busy,
    disabledReason,
    disabled,
    wide,
    className,
    onClick,
    ...rest
  } = props
  const inert = busy === true || disabled === true || (disabledReason ?? null) !== null
  return (
    <button
      type="button"
      data-part="button"
      data-variant={variant}
      {...rest}
      className={classes(styles.button, styles[variant], styles[size], wide && styles.wide, className)}
      aria-disabled={inert || undefined}
      aria-busy={busy || undefined}
      aria-description={disabledReason ?? undefined}
      data-tooltip={disabledReason ?? undefined}
      onClick={inert ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner size={16} /> : icon && <DrawnIcon icon={icon} size={iconSize} />}
      <span className="ellipsis">{label}</span>
    </button>
  )
}

/** Button classes for another element, such as a link. */
export function buttonClassName({ variant = 'secondary', size = 'normal', wide }: Pick<ButtonProps, 'variant' | 'size' | 'wide'>): string {
  return classes(styles.button, styles[variant], styles[size], wide && styles.wide)
}
