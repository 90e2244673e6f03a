import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { indexOfName, isShown, isComplete, type Listing } from '../../../data/listing.ts'
import { Selection } from '../../../data/selection.ts'
import type { GridHandle } from './grid.tsx'
import { recallVisit, rememberVisit } from './visit-memory.ts'

const FOCUS_BACK_MS = 250

/**
 * Selection of the current folder. It follows entries by name when the folder is refetched or an entry is renamed; if the focused entry disappears,
 * its neighbour gets focus. Filtered-out entries are deselected.
 * @param onHidden called if the entry to show is filtered out
 */
export function useSelection(listing: Listing, grid: RefObject<GridHandle | null>, onHidden: () => void) {
  const [selection] = useState(() => new Selection(listing.names.length))
  const before = useRef(listing)
  const aliases = useRef(new Map<string, string>())
  const awaited = useRef<{ name: string; since: number } | null>(null)
  /** The neighbour that got the focus of an entry that disappeared. */
  const heir = useRef<{ name: string; since: number } | null>(null)
  const unhide = useRef(onHidden)
  useLayoutEffect(() => {
    unhide.current = onHidden
  })

  // A layout effect: the selection, which lives outside React, must be updated before painting.
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
      if (selection.focus === null && position !== undefined && position !== null && listing.order.length > 0) {
        const next = listing.order[Math.min(position, listing.order.length - 1)] ?? null
        selection.focusOn(next)
        heir.current = next === null ? null : { name: listing.names[next] ?? '', since: selection.touched }
      }
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
    // A closing dialog restores focus to a row that no longer exists, or to one that an earlier dialog was about.
    const keepFocus = () => {
      const neighbour = heir.current?.since === selection.touched ? indexOfName(listing, heir.current.name) : null
      if (neighbour !== null) selection.focusOn(neighbour)
      grid.current?.keepFocus()
    }
    const next = requestAnimationFrame(keepFocus)
    const timer = setTimeout(() => {
      keepFocus()
      heir.current = null
    }, FOCUS_BACK_MS)
    return () => {
      cancelAnimationFrame(next)
      clearTimeout(timer)
    }
  }, [listing, selection, grid])

  return {
    selection,
    /** Keeps the selection of an entry that is being renamed. */
    follow(from: string, to: string): void {
      aliases.current.set(from, to).set(to, from)
    },
    /**
     * Selects an entry and scrolls to it, now or when it arrives, unless the user selects something else first.
     * @param since `selection.touched` at the time of the request
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
  /** Key of the history entry. */
  readonly key: string
  /** Reached by Back or Forward. */
  readonly returned: boolean
  /** The entry to focus. */
  readonly focus: string | null
  /** Whether to select it too. */
  readonly reveal: boolean
}

/** Restores scroll position and focus on Back, and focuses the child folder when going up. */
export function useRestoreVisit(
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
  // In a long folder the entry may arrive later; skipped if the user has moved elsewhere.
  useLayoutEffect(() => {
    const name = wanted.current
    if (name === null) return
    const index = indexOfName(listing, name)
    if (index !== null && selection.focus === null) grid.current?.focusOn(index)
    if (index !== null || isComplete(listing)) wanted.current = null
  }, [grid, selection, listing])
}

/** Selects a search result in its folder, also in the current one; not again on Back. */
export function useReveal(show: (name: string) => void, { key, returned, focus, reveal }: Visit): void {
  const onVisit = useEffectEvent(() => {
    if (reveal && !returned && focus !== null) show(focus)
  })
  // Runs after the selection was cleared for this visit.
  useEffect(() => onVisit(), [key])
}
