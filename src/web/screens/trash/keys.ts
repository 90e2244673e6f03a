type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

export type TrashIntent =
  | { readonly kind: 'move'; readonly to: number; readonly extend: boolean; readonly focusOnly: boolean }
  | { readonly kind: 'open' | 'toggle' | 'menu' | 'all' | 'clear' | 'remove' }

export interface TrashView {
  readonly count: number
  /** Index of the focused entry. */
  readonly focus: number | null
  /** Rows in sight. */
  readonly page: number
}

/** What a key does in the list, with the keys of the files; null if nothing. */
export function trashIntent(event: KeyPress, view: TrashView): TrashIntent | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (altKey || view.count === 0) return null
  const mod = ctrlKey || metaKey
  const to = targetOf(key, view)
  if (to !== null) return { kind: 'move', to, extend: shiftKey, focusOnly: mod && !shiftKey }
  if (mod && !shiftKey && key.toLowerCase() === 'a') return { kind: 'all' }
  if (key === 'Escape') return { kind: 'clear' }
  if (key === 'Delete' && !mod) return { kind: 'remove' }
  if (view.focus === null) return null
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return { kind: 'menu' }
  if (key === ' ') return { kind: 'toggle' }
  return key === 'Enter' && !mod ? { kind: 'open' } : null
}

function targetOf(key: string, { count, focus, page }: TrashView): number | null {
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count }
  const step = steps[key]
  if (step === undefined) return null
  if (focus === null) return key === 'End' ? count - 1 : 0
  return Math.min(count - 1, Math.max(0, focus + step))
}
