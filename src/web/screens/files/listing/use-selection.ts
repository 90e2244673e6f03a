import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { indexOfName, isShown, isComplete, type Listing } from '../../../data/listing.ts'
import { Selection } from '../../../data/selection.ts'
import type { GridHandle } from './grid.tsx'
import { recallVisit, rememberVisit } from './memory.ts'

const FOCUS_BACK_MS = 250

/**
 * The selection of the folder on show. It follows entries by name when the folder is read anew or one is renamed; when the focused entry goes,
 * its neighbour has the focus. What a filter leaves out is not selected.
 * @param onHidden what should be shown is left out
 */
export function useSelection(listing: Listing, grid: RefObject<GridHandle | null>, onHidden: () => void) {
  const [selection] = useState(() => new Selection(listing.names.length))
  const before = useRef(listing)
  const aliases = useRef(new Map<string, string>())
  const awaited = useRef<{ name: string; since: number } | null>(null)
  const unhide = useRef(onHidden)
  useLayoutEffect(() => {
    unhide.current = onHidden
  })

  // Talks to the selection, which lives outside React, before the new rows are painted.
  useLayoutEffect(() => {
    const old = before.current
    before.current = listing
    if (old.names !== listing.names) {
      let byName: Map<string, number> | undefined
      const find = (name: string) => (byName ??= new Map(listing.names.map((one, index) => [one, index]))).get(name)
      const position = selection.focus === null ? null : old.positions[selection.focus]
      selection.carryOver(listing.names.length, (index) => {
        const name = old.names[index] ?? ''
        return find(name) ?? find(aliases.current.get(name) ?? '') ?? null
      })
      if (selection.focus === null && position !== undefined && position !== null && listing.order.length > 0)
        selection.focusOn(listing.order[Math.min(position, listing.order.length - 1)] ?? null)
    }
    if (old !== listing) selection.keep((index) => isShown(listing, index))
    if (awaited.current?.since !== selection.touched) awaited.current = null
    const index = awaited.current === null ? null : indexOfName(listing, awaited.current.name)
    if (index !== null && !isShown(listing, index)) unhide.current()
    else if (index !== null) {
      awaited.current = null
      selection.only(index)
      grid.current?.focusOn(index)
    }
    // A dialog that closes gives the focus back to a row that may be gone.
    const next = requestAnimationFrame(() => grid.current?.keepFocus())
    const timer = setTimeout(() => grid.current?.keepFocus(), FOCUS_BACK_MS)
    return () => {
      cancelAnimationFrame(next)
      clearTimeout(timer)
    }
  }, [listing, selection, grid])

  return {
    selection,
    /** An entry is about to have another name; its selection goes with it. */
    follow(from: string, to: string): void {
      aliases.current.set(from, to).set(to, from)
    },
    /**
     * Selects an entry and brings it into sight, now or when it arrives, unless somebody has chosen for themselves meanwhile.
     * @param since `selection.touched` when the entry was asked for
     */
    show(name: string, since = selection.touched): void {
      if (since !== selection.touched) return
      const index = indexOfName(before.current, name)
      if (index === null || !isShown(before.current, index)) {
        awaited.current = { name, since }
        if (index !== null) onHidden()
        return
      }
      selection.only(index)
      grid.current?.focusOn(index)
    },
  }
}

export interface Visit {
  /** The history entry. */
  readonly key: string
  /** Somebody came Back or Forward to it. */
  readonly returned: boolean
  /** The entry that should have the focus. */
  readonly focus: string | null
  /** It should be selected besides. */
  readonly reveal: boolean
}

/** One is where one was when one comes back, and at the folder one comes from when one goes up. */
export function useVisit(
  { listing, filter, selection }: { listing: Listing; filter: string | null; selection: Selection },
  grid: RefObject<GridHandle | null>,
  visit: Visit,
): void {
  const first = useRef(visit)
  const latest = useRef({ listing, filter })
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    latest.current = { listing, filter }
  })
  useLayoutEffect(() => {
    const { key, returned, focus } = first.current
    const handle = grid.current
    const past = returned ? recallVisit(key) : null
    if (past !== null) handle?.scrollTo(past.scrollTop)
    wanted.current = past?.focused ?? focus
    return () => {
      const { focus: now } = selection
      rememberVisit(key, {
        scrollTop: handle?.scrollTop() ?? 0,
        focused: now === null ? null : (latest.current.listing.names[now] ?? null),
        filter: latest.current.filter,
      })
    }
  }, [grid, selection])
  // Of a long folder it may come with the rest, to whoever has not gone elsewhere meanwhile.
  useLayoutEffect(() => {
    const name = wanted.current
    if (name === null) return
    const index = indexOfName(listing, name)
    if (index !== null && selection.focus === null) grid.current?.focusOn(index)
    if (index !== null || isComplete(listing)) wanted.current = null
  }, [grid, selection, listing])
}

/** What was found by a search is selected where it lies, also in the folder that is on show already; but not again when one comes back. */
export function useReveal(show: (name: string) => void, { key, returned, focus, reveal }: Visit): void {
  const latest = useRef({ show, name: reveal && !returned ? focus : null })
  useEffect(() => {
    latest.current = { show, name: reveal && !returned ? focus : null }
  })
  // Talks to the selection, after it was cleared for this visit.
  useEffect(() => {
    const { name, show: select } = latest.current
    if (name !== null) select(name)
  }, [key])
}
