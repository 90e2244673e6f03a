import { lazy, Suspense, useRef } from 'react'
import type { MenuAnchor, MenuEntry } from './menu-entry.ts'

const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(async () => ({ default: (await loadPopup()).MenuPopup }))

export interface ContextMenuProps {
  /** Where it is open: a point for the pointer, an element for the keyboard; null when closed. */
  at: MenuAnchor | null
  label: string
  entries: readonly MenuEntry[]
  onClose: () => void
}

/** A menu without a button: whoever hears the right click, Shift+F10 or the Menu key says where. */
export function ContextMenu({ at, label, entries, onClose }: ContextMenuProps) {
  // While it fades out, it stays where it was and says what it said.
  const last = useRef<{ at: MenuAnchor; entries: readonly MenuEntry[] } | null>(null)
  if (at !== null) last.current = { at, entries }
  if (last.current === null) return null
  return (
    <Suspense>
      <MenuPopup open={at !== null} anchor={last.current.at} label={label} entries={last.current.entries} onClose={onClose} />
    </Suspense>
  )
}

/** Fetches the menu's code ahead of the first right click. */
export function prepareContextMenu(): void {
  void loadPopup()
}
