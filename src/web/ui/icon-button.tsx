import type { ButtonHTMLAttributes, Ref } from 'react'
import { classes } from './classes.ts'
import { type ButtonIcon, DrawnIcon } from './drawn-icon.tsx'
import styles from './icon-button.module.css'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'aria-label'> {
  ref?: Ref<HTMLButtonElement>
  /** Accessible name and tooltip. */
  label: string
  icon: ButtonIcon
  iconSize?: number
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
  iconSize,
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
      <DrawnIcon icon={icon} size={iconSize ?? (size === 'small' ? 17 : 18)} />
      {badge !== undefined && badge > 0 && (
        <span className={styles.badge} aria-hidden>
          {badge}
        </span>
      )}
    </button>
  )
}
