import { type RefObject, useLayoutEffect, useRef } from 'react'
import { isComplete, type Listing } from '../../../data/listing.ts'
import type { Selection } from '../../../data/selection.ts'
import type { GridIntent } from './grid-keys.ts'
import type { GridHandle } from './grid.tsx'

export type Move = Extract<GridIntent, { kind: 'move' }>

/** Moves to the last entry of a folder that is still loading. */
export type MoveToEnd = ReturnType<typeof useMoveToEnd>

export function useMoveToEnd(
  { listing, selection, grid }: { listing: Listing; selection: Selection; grid: RefObject<GridHandle | null> },
  go: (move: Move) => void,
) {
  const wish = useRef<{ move: Move; touched: number; focused: string | null; top: number } | null>(null)
  const focused = () => (selection.focus === null ? null : (listing.names[selection.focus] ?? null))

  // Runs once the rows have been rendered.
  useLayoutEffect(() => {
    const { current } = wish
    const handle = grid.current
    if (current === null || handle === null || !isComplete(listing)) return
    wish.current = null
    const wentElsewhere = selection.touched !== current.touched || focused() !== current.focused || handle.scrollTop() < current.top
    if (!wentElsewhere) go(current.move)
  })

  return {
    /** Scrolls to the end now; moves when the rows have arrived, unless the user has moved elsewhere. */
    make(move: Move) {
      const handle = grid.current
      if (handle === null) return
      handle.scrollTo(Number.MAX_SAFE_INTEGER)
      wish.current = { move, touched: selection.touched, focused: focused(), top: handle.scrollTop() }
    },
    forget() {
      wish.current = null
    },
  }
}
