import type { ButtonIcon } from './drawn-icon.tsx'

export interface MenuAction {
  kind: 'action'
  id: string
  label: string
  icon?: ButtonIcon
  /** For display, for example `Ctrl C`; does not bind the key. */
  shortcut?: string
  danger?: boolean
  disabled?: boolean
  /** If set, the entry is a `menuitemradio` or `menuitemcheckbox` with this state. */
  checked?: boolean
  onSelect: () => void
}

export interface MenuLink {
  kind: 'link'
  id: string
  label: string
  icon?: ButtonIcon
  /** Opens in a new tab. */
  href: string
}

export interface MenuSeparator {
  kind: 'separator'
  id: string
}

export interface MenuHeading {
  kind: 'heading'
  id: string
  label: string
  detail?: string
}

export type MenuEntry = MenuAction | MenuLink | MenuSeparator | MenuHeading

/** Where a menu opens: at an element or at a point of the window. */
export type MenuAnchor = Element | { x: number; y: number }
