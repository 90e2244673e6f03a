import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'
import styles from './icon-button.module.css'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'aria-label'> {
  ref?: Ref<HTMLButtonElement>
  /** Accessible name and tooltip. */
  label: string
  icon: ReactNode
  /** Shown in the tooltip after the label. */
  shortcut?: string | undefined
  variant?: 'quiet' | 'danger' | 'primary'
  size?: 'normal' | 'small'
  /** For toggle buttons. */
  pressed?: boolean
  /** A small count. */
  badge?: number
}

export function IconButton({
  label,
  icon,
  shortcut,
  variant = 'quiet',
  size = 'normal',
  pressed,
  badge,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      data-part="icon-button"
      data-tooltip={label}
      data-tooltip-shortcut={shortcut}
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={classes(styles.button, styles[variant], styles[size], className)}
    >
      {icon}
      {badge !== undefined && badge > 0 && (
        <span className={styles.badge} aria-hidden>
          {badge}
        </span>
      )}
    </button>
  )
}
