import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Listing } from '../../../data/listing.ts'
import type { filterListing, prepareFilter } from '../../../data/listing-filter.ts'
import { report } from '../report.ts'
import { recallVisit } from './memory.ts'
import type { Filtering } from './use-listing-actions.ts'
import type { Visit } from './use-selection.ts'

export interface Filter extends Filtering {
  /** What of the folder is on show. */
  readonly listing: Listing
  /** Null while the folder is shown whole and there is no field. */
  readonly text: string | null
  /** Grows each time somebody asks for the field. */
  readonly asked: number
  narrow(text: string): void
  /** A letter typed before the field is there. */
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

/** What a folder is narrowed to; it is still there when one comes back to it. The code comes with the first wish. */
export function useFilter(whole: Listing, { key, returned }: Visit): Filter {
  const [text, setText] = useState(() => (returned ? (recallVisit(key)?.filter ?? null) : null))
  const [asked, setAsked] = useState(0)
  const [tools, setTools] = useState(loaded)
  const on = text !== null
  const waits = on && tools === null
  useEffect(() => {
    if (waits) void loadTools().then(setTools).catch(report)
  }, [waits])
  // While the hand goes from the slash to the first letter.
  useEffect(() => (on ? tools?.prepareFilter(whole) : undefined), [on, tools, whole])
  const listing = useMemo(() => tools?.filterListing(whole, text ?? '') ?? whole, [tools, whole, text])
  const close = useCallback(() => setText(null), [])
  return {
    listing,
    whole,
    text,
    asked,
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
