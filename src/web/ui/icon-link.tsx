import { classes } from './classes.ts'
import { type ButtonIcon, DrawnIcon } from './drawn-icon.tsx'
import styles from './icon-button.module.css'

export interface IconLinkProps {
  /** Accessible name and tooltip. */
  label: string
  icon: ButtonIcon
  iconSize?: number
  href: string
  /** Downloads the target. */
  download?: boolean
  /** -1 if the keyboard reaches it otherwise. */
  tabIndex?: number
}

/** A link styled as an icon button. */
export function IconLink({ label, icon, iconSize = 18, href, download, tabIndex }: IconLinkProps) {
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
      <DrawnIcon icon={icon} size={iconSize} />
    </a>
  )
}
