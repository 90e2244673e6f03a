import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Listing } from '../../../data/listing.ts'
import type { filterListing, prepareFilter } from '../../../data/listing-filter.ts'
import { report } from '../report.ts'
import { recallVisit } from './visit-memory.ts'
import type { Filtering } from './use-listing-actions.ts'
import type { Visit } from './use-selection.ts'

export interface Filter extends Filtering {
  /** The filtered listing. */
  readonly listing: Listing
  /** Null if no filter is active. */
  readonly text: string | null
  /** Increases with each request to focus the field. */
  readonly focusRequests: number
  narrow(text: string): void
  /** A character typed before the field exists. */
  type(letter: string): void
}

interface Tools {
  readonly filterListing: typeof filterListing
  readonly prepareFilter: typeof prepareFilter
}

let loaded: Tools | null = null

async function loadTools(): Promise<Tools> {
  return (loaded ??= await import('../../../data/listing-filter.ts'))
}

export function loadFilterBar() {
  void loadTools().catch(() => undefined)
  return import('./filter-bar.tsx')
}

/** Filter of a folder, restored on Back. Its code is loaded on first use. */
export function useFilter(whole: Listing, { key, returned }: Visit): Filter {
  const [text, setText] = useState(() => (returned ? (recallVisit(key)?.filter ?? null) : null))
  const [focusRequests, setAsked] = useState(0)
  const [tools, setTools] = useState(loaded)
  const on = text !== null
  const waits = on && tools === null
  useEffect(() => {
    if (waits) void loadTools().then(setTools).catch(report)
  }, [waits])
  // Prepares while the user starts typing.
  useEffect(() => (on ? tools?.prepareFilter(whole) : undefined), [on, tools, whole])
  const listing = useMemo(() => tools?.filterListing(whole, text ?? '') ?? whole, [tools, whole, text])
  const close = useCallback(() => setText(null), [])
  return {
    listing,
    whole,
    text,
    focusRequests,
    on,
    narrow: setText,
    type: (letter) => setText((before) => (before ?? '') + letter),
    open() {
      setText((before) => before ?? '')
      setAsked((times) => times + 1)
    },
    close,
  }
}
