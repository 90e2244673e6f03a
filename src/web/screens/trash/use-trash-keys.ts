import type { RefObject } from 'react'
import { isAsking } from '../../data/prompts.ts'
import type { Selection } from '../../data/selection.ts'
import { isPageKey } from '../../data/shortcuts.ts'
import type { Trashed } from '../../data/trash.ts'
import type { MenuAnchor } from '../../ui/menu-entry.ts'
import { usePageEvent } from '../../ui/use-page-event.ts'
import { type TrashIntent, trashIntent } from './keys.ts'
import type { TrashGridHandle } from './trash-grid.tsx'
import { chosenOf } from './use-trash-selection.ts'
import type { TrashActions } from './use-trash-actions.ts'

export interface TrashKeyOptions {
  readonly entries: readonly Trashed[]
  readonly selection: Selection
  readonly actions: TrashActions
  readonly grid: RefObject<TrashGridHandle | null>
  readonly onMenu: (anchor: MenuAnchor) => void
}

/** Keyboard of the trash: in the list, or without focus. */
export function useTrashKeys(options: TrashKeyOptions): void {
  usePageEvent('keydown', (event) => {
    if (event.defaultPrevented || isAsking() || !isPageKey(event)) return
    const target = event.target instanceof Element ? event.target : null
    const within = options.grid.current?.holds(target) === true
    if (!within && target !== document.body && target?.id !== 'main') return
    const { entries, selection } = options
    const intent = trashIntent(event, { count: entries.length, focus: selection.focus, page: options.grid.current?.page() ?? 1 })
    if (intent === null) return
    // Buttons and links handle these themselves.
    if ((intent.kind === 'open' || intent.kind === 'toggle') && target?.closest('a, button, input')) return
    event.preventDefault()
    follow(intent, options)
  })
}

function follow(intent: TrashIntent, { entries, selection, actions, grid, onMenu }: TrashKeyOptions): void {
  const order = Uint32Array.from(entries.keys())
  if (intent.kind === 'move') {
    if (intent.extend) selection.extend(intent.to, order)
    else if (!intent.focusOnly && !selection.multiple) selection.only(intent.to)
    return grid.current?.focusOn(intent.to)
  }
  if (intent.kind === 'all') return selection.all(order)
  if (intent.kind === 'clear') return selection.clear()
  if (intent.kind === 'remove') {
    const chosen = chosenOf(selection, entries)
    if (chosen.length > 0 && actions.mayRemove(chosen)) actions.remove(chosen)
    return
  }
  const { focus } = selection
  const entry = focus === null ? undefined : entries[focus]
  if (focus === null || entry === undefined) return
  if (intent.kind === 'toggle') return selection.toggle(focus)
  if (intent.kind === 'open') return actions.open(entry)
  if (!selection.has(focus)) selection.only(focus)
  grid.current?.focusOn(focus)
  const element = grid.current?.elementOf(focus)
  if (element) onMenu(element)
}
