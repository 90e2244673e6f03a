import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  ref?: Ref<HTMLButtonElement>
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'small' | 'large'
  icon?: ReactNode
  /** Work is under way: the label stays, clicks do nothing. */
  busy?: boolean
  /** Why it cannot be used now, in words; shown as a tooltip. The button stays reachable. */
  disabledReason?: string | null
  disabled?: boolean
  /** Takes the width of its container. */
  wide?: boolean
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'normal',
    icon,
    busy,
    disabledReason,
    disabled,
    wide,
    className,
    children,
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
      {busy ? <Spinner size={16} /> : icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </button>
  )
}

/** The look of a button for an element that is something else, such as a link. */
export function buttonClassName({ variant = 'secondary', size = 'normal', wide }: Pick<ButtonProps, 'variant' | 'size' | 'wide'>): string {
  return classes(styles.button, styles[variant], styles[size], wide && styles.wide)
}
