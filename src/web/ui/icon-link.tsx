import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './icon-button.module.css'

export interface IconLinkProps {
  /** Accessible name and tooltip. */
  label: string
  icon: ReactNode
  href: string
  /** Downloads the target. */
  download?: boolean
  /** -1 if the keyboard reaches it otherwise. */
  tabIndex?: number
}

/** A link styled as an icon button. */
export function IconLink({ label, icon, href, download, tabIndex }: IconLinkProps) {
  return (
    <a
      className={classes(styles.button, styles.quiet, styles.normal)}
      href={href}
      download={download}
      tabIndex={tabIndex}
      aria-label={label}
      data-tooltip={label}
      data-part="icon-button"
    >
      {icon}
    </a>
  )
}
