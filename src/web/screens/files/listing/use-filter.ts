import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Listing } from '../../../data/listing.ts'
import { filterListing, prepareFilter } from '../../../data/listing-filter.ts'
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
  /** A character typed in the list. */
  type(letter: string): void
}

/** Filter of a folder, restored on Back. */
export function useFilter(whole: Listing, { key, returned }: Visit): Filter {
  const [text, setText] = useState(() => (returned ? (recallVisit(key)?.filter ?? null) : null))
  const [focusRequests, setAsked] = useState(0)
  const on = text !== null
  // Prepares while the user starts typing.
  useEffect(() => (on ? prepareFilter(whole) : undefined), [on, whole])
  const listing = useMemo(() => filterListing(whole, text ?? ''), [whole, text])
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
