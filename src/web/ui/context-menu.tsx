import { lazy, Suspense, useRef } from 'react'
import type { MenuAnchor, MenuEntry } from './menu-entry.ts'

const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(async () => ({ default: (await loadPopup()).MenuPopup }))

export interface ContextMenuProps {
  /** Anchor: a point for the pointer, an element for the keyboard; null when closed. */
  at: MenuAnchor | null
  label: string
  entries: readonly MenuEntry[]
  onClose: () => void
}

/** A menu without a trigger; the caller handles right click, Shift+F10 and the Menu key. */
export function ContextMenu({ at, label, entries, onClose }: ContextMenuProps) {
  // Keeps position and entries during the closing animation.
  const last = useRef<{ at: MenuAnchor; entries: readonly MenuEntry[] } | null>(null)
  if (at !== null) last.current = { at, entries }
  if (last.current === null) return null
  return (
    <Suspense>
      <MenuPopup open={at !== null} anchor={last.current.at} label={label} entries={last.current.entries} onClose={onClose} />
    </Suspense>
  )
}

/** Preloads the menu's code. */
export function prepareContextMenu(): void {
  // Without a connection, opening the menu tries again.
  void loadPopup().catch(() => undefined)
}
