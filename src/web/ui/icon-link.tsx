import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './icon-button.module.css'

export interface IconLinkProps {
  /** Names the link for everyone: read aloud, and shown as a tooltip. */
  label: string
  icon: ReactNode
  href: string
  /** The browser saves what it finds there instead of showing it. */
  download?: boolean
  /** -1 where the keyboard comes another way. */
  tabIndex?: number
}

/** A link that looks like the icon buttons beside it. */
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
