import { useEffect, useMemo, useState } from 'react'
import type { Sorting } from '../../../../shared/contract/users.ts'
import type { Listing } from '../../../data/listing.ts'
import { isSortedSoon, type OrderElsewhere, prepareSorting, rankAhead, sortListing } from '../../../data/listing-order.ts'

const inThread: OrderElsewhere = async (names, folders) => (await import('./name-order-thread.ts')).orderInThread(names, folders)

/** The listing in the chosen order. While a worker computes it, the previous order stays. */
export function useSorted(listing: Listing, { by, asc }: Sorting): Listing {
  const soon = isSortedSoon(listing, { by, asc })
  const sorted = useMemo(() => (soon ? sortListing(listing, { by, asc }) : null), [soon, listing, by, asc])
  const [last, setLast] = useState(sorted)
  const [, redraw] = useState(0)
  if (sorted !== null && sorted !== last) setLast(sorted)
  useEffect(() => prepareSorting(listing, inThread), [listing])
  // Synchronises with the thread that orders names.
  useEffect(() => {
    if (soon) return
    let wanted = true
    void rankAhead(listing, inThread).then(() => wanted && redraw((count) => count + 1))
    return () => {
      wanted = false
    }
  }, [soon, listing])
  return sorted ?? last ?? listing
}
