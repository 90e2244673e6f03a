import { type RefObject, useEffect, useRef } from 'react'
import { isClipboardLatest } from '../../../data/clipboard.ts'
import { isComplete, type Listing } from '../../../data/listing.ts'
import { isAsking } from '../../../data/prompts.ts'
import { isPageKey } from '../../../data/shortcuts.ts'
import type { MenuAnchor } from '../../../ui/menu-entry.ts'
import type { Selection } from '../../../data/selection.ts'
import { shortcutFor } from '../shortcuts.ts'
import { type GridIntent, gridIntent } from './grid-keys.ts'
import type { GridHandle } from './grid.tsx'
import { createTypeAhead } from './type-ahead.ts'
import { type EndWish, type Move, useEndWish } from './use-end-wish.ts'
import type { Filter } from './use-filter.ts'
import type { ListingActions } from './use-listing-actions.ts'

export interface KeyOptions {
  readonly listing: Listing
  readonly selection: Selection
  readonly actions: ListingActions
  readonly filter: Pick<Filter, 'on' | 'type'>
  readonly grid: RefObject<GridHandle | null>
  /** Several entries beside each other: Left and Right lead along. */
  readonly tiled: boolean
  readonly onMenu: (anchor: MenuAnchor) => void
}

/** The keyboard of the listing: actions from anywhere on the page, moving about from the grid or from nowhere in particular. */
export function useListingKeys(options: KeyOptions): void {
  const end = useEndWish(options, (move) => go(move, options))
  const latest = useRef({ ...options, end })
  useEffect(() => {
    latest.current = { ...options, end }
  })
  // Talks to the keyboard of the whole page.
  useEffect(() => {
    const typeAhead = createTypeAhead()
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isAsking() || !isPageKey(event)) return
      const { actions, grid, tiled } = latest.current
      const action = shortcutFor(event, actions.offered)
      // The computer's clipboard may be newer than what this page holds: its own event follows (use-paste.ts).
      if (action === 'paste' && !isClipboardLatest()) return
      if (action !== null && !(action === 'copy-held' && isTextMarked())) {
        // What cannot be done now may have a word to say about it, as for F2 on several.
        if (actions.offered(action)) event.preventDefault()
        return actions.run(action)
      }
      const target = event.target instanceof Element ? event.target : null
      const within = grid.current?.holds(target) === true
      // A button has its own Enter and Space.
      if (!within && target !== document.body && target?.id !== 'main') return
      if (target?.closest('button, input, [role=columnheader]') && event.key !== 'Escape' && !event.key.startsWith('Arrow')) return
      const intent = gridIntent(event, { mosaic: tiled, rtl: document.documentElement.dir === 'rtl' })
      if (intent !== null && follow(intent, latest.current, typeAhead)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** @returns whether the key was ours */
function follow(intent: GridIntent, options: KeyOptions & { end: EndWish }, typeAhead: ReturnType<typeof createTypeAhead>): boolean {
  const { listing, selection, actions, grid, end, onMenu } = options
  const handle = grid.current
  const [first] = listing.order
  if (first === undefined || handle === null) return false
  const { focus } = selection
  end.forget()
  if (intent.kind === 'type' && options.filter.on && document.querySelector('[data-part=filter]') === null) {
    options.filter.type(intent.letter)
    return true
  }
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

/** Somebody marked text to copy it; that is the browser's. */
function isTextMarked(): boolean {
  return getSelection()?.type === 'Range'
}
