import { type RefObject, useState } from 'react'
import { isClipboardLatest } from '../../../data/clipboard.ts'
import { isComplete, type Listing } from '../../../data/listing.ts'
import { isAsking } from '../../../data/prompts.ts'
import { isPageKey } from '../../../data/shortcuts.ts'
import { usePageEvent } from '../../../ui/use-page-event.ts'
import type { MenuAnchor } from '../../../ui/menu-entry.ts'
import type { Selection } from '../../../data/selection.ts'
import { shortcutFor } from '../shortcuts.ts'
import { type GridIntent, gridIntent } from './grid-keys.ts'
import type { GridHandle } from './grid.tsx'
import { createTypeAhead } from './type-ahead.ts'
import { type MoveToEnd, type Move, useMoveToEnd } from './use-move-to-end.ts'
import type { Filter } from './use-filter.ts'
import type { ListingActions } from './use-listing-actions.ts'

export interface KeyOptions {
  readonly listing: Listing
  readonly selection: Selection
  readonly actions: ListingActions
  readonly filter: Pick<Filter, 'on' | 'type'>
  readonly grid: RefObject<GridHandle | null>
  /** Whether entries are side by side, so that Left and Right move. */
  readonly tiled: boolean
  readonly onMenu: (anchor: MenuAnchor) => void
}

/** Keyboard of the listing: shortcuts work anywhere on the page, navigation keys in the grid or without focus. */
export function useListingKeys(options: KeyOptions): void {
  const end = useMoveToEnd(options, (move) => go(move, options))
  const [typeAhead] = useState(() => createTypeAhead())
  usePageEvent('keydown', (event) => {
    if (event.defaultPrevented || isAsking() || !isPageKey(event)) return
    const { actions, grid, tiled } = options
    const action = shortcutFor(event, actions.available)
    // The system clipboard may be newer; its paste event follows (use-paste.ts).
    if (action === 'paste' && !isClipboardLatest()) return
    if (action !== null && !(action === 'copy-held' && isTextMarked())) {
      // An unavailable action may still show a message, such as F2 with several entries selected.
      if (actions.available(action)) event.preventDefault()
      return actions.run(action)
    }
    const target = event.target instanceof Element ? event.target : null
    const within = grid.current?.holds(target) === true
    // Buttons handle Enter and Space themselves.
    if (!within && target !== document.body && target?.id !== 'main') return
    if (target?.closest('button, input, [role=columnheader]') && event.key !== 'Escape' && !event.key.startsWith('Arrow')) return
    const intent = gridIntent(event, { mosaic: tiled, rtl: document.documentElement.dir === 'rtl' })
    if (intent !== null && follow(intent, { ...options, end }, typeAhead)) event.preventDefault()
  })
}

/** @returns whether the key was handled */
function follow(intent: GridIntent, options: KeyOptions & { end: MoveToEnd }, typeAhead: ReturnType<typeof createTypeAhead>): boolean {
  const { listing, selection, actions, grid, end, onMenu } = options
  const handle = grid.current
  // Also when nothing matches what was typed so far.
  if (intent.kind === 'type' && options.filter.on && document.querySelector('[data-part=filter]') === null) {
    options.filter.type(intent.letter)
    return true
  }
  const [first] = listing.order
  if (first === undefined || handle === null) return false
  const { focus } = selection
  end.forget()
  if (intent.kind === 'type' || (intent.kind === 'toggle' && typeAhead.isTyping())) {
    const letter = intent.kind === 'type' ? intent.letter : ' '
    const names = { count: listing.order.length, at: (position: number) => listing.names[listing.order[position] ?? 0] ?? '' }
    const found = typeAhead.type(letter, focus === null ? -1 : (listing.positions[focus] ?? -1), names)
    if (found !== null) arrive(listing.order[found] ?? first, { extend: false, focusOnly: false }, options)
    return true
  }
  if (intent.kind === 'move') {
    if (intent.step === 'last' && !isComplete(listing)) end.make(intent)
    else go(intent, options)
    return true
  }
  if (focus === null) return false
  if (intent.kind === 'open') actions.open(focus)
  else if (intent.kind === 'toggle') selection.toggle(focus)
  else {
    if (!selection.has(focus)) selection.only(focus)
    handle.focusOn(focus)
    const element = handle.elementOf(focus)
    if (element !== null) onMenu(element)
  }
  return true
}

function go(move: Move, options: KeyOptions): void {
  const { listing, selection, grid } = options
  const [first] = listing.order
  const handle = grid.current
  if (first === undefined || handle === null) return
  const { focus } = selection
  const to = focus === null ? (move.step === 'last' ? handle.step(first, 'last') : first) : handle.step(focus, move.step)
  arrive(to, move, options)
}

function arrive(
  index: number,
  { extend, focusOnly }: { extend: boolean; focusOnly: boolean },
  { selection, listing, grid }: KeyOptions,
): void {
  if (extend) selection.extend(index, listing.order)
  else if (!focusOnly && !selection.multiple) selection.only(index)
  grid.current?.focusOn(index)
}

/** Text is selected, so Ctrl+C is left to the browser. */
function isTextMarked(): boolean {
  return getSelection()?.type === 'Range'
}
