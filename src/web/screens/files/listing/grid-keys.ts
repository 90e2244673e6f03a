import type { Step } from './sections.ts'

export type GridIntent =
  | { readonly kind: 'move'; readonly step: Step; readonly extend: boolean; readonly focusOnly: boolean }
  | { readonly kind: 'open' | 'toggle' | 'menu' }
  | { readonly kind: 'type'; readonly letter: string }

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What a key does in the grid, or null. In a mosaic, Left and Right follow the reading direction. */
export function gridIntent(event: KeyPress, { mosaic, rtl }: { mosaic: boolean; rtl: boolean }): GridIntent | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (altKey) return null
  const mod = ctrlKey || metaKey
  const step = stepOf(key, { mosaic, rtl })
  if (step !== null) return { kind: 'move', step, extend: shiftKey, focusOnly: mod && !shiftKey }
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return { kind: 'menu' }
  if (key === ' ') return { kind: 'toggle' }
  if (mod) return null
  if (key === 'Enter') return { kind: 'open' }
  return Array.from(key).length === 1 ? { kind: 'type', letter: key } : null
}

function stepOf(key: string, { mosaic, rtl }: { mosaic: boolean; rtl: boolean }): Step | null {
  if (key === 'ArrowUp') return 'up'
  if (key === 'ArrowDown') return 'down'
  if (key === 'Home') return 'first'
  if (key === 'End') return 'last'
  if (key === 'PageUp') return 'page-up'
  if (key === 'PageDown') return 'page-down'
  if (!mosaic || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return null
  return (key === 'ArrowRight') === rtl ? 'back' : 'forth'
}
