import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { create } from 'zustand'
import type { ReceivedShare } from '../../shared/contract/people-shares.ts'
import { WITH_ME_KEY } from './query.ts'
import { useSession } from './session.ts'
import { CURRENT_SHARE } from './share-context.ts'
import { whenIdle } from './when-idle.ts'

/** What others share with the user, the newest first. Fetched when the page is idle, within a share at once; the event stream of the folder on show tells of changes. */
export function withMeQuery() {
  return queryOptions({
    queryKey: WITH_ME_KEY,
    queryFn: async ({ signal }) => {
      // A page within a share bears its name.
      if (CURRENT_SHARE === null) await whenIdle(2000)
      return (await import('./people-shares.ts')).readReceived(signal)
    },
    staleTime: 30_000,
    structuralSharing: true,
  })
}

/** What others share with the user; the screen shows errors. */
export function useReceivedShares() {
  return useQuery(withMeQuery())
}

const STORAGE_KEY = 'satchel-with-me-seen'

/** When the user last looked at the list, in milliseconds since 1970, by account. */
const useSeen = create<Record<string, number>>(() => stored())

function stored(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null
      ? Object.fromEntries(Object.entries(kept).filter(([, at]) => typeof at === 'number'))
      : {}
  } catch {
    return {}
  }
}

/** How many shares the user has not seen yet in this browser. */
export function useNewShares(): number {
  const id = useSession(({ user }) => user?.id ?? 0)
  const seen = useSeen((state) => state[String(id)] ?? 0)
  const { data = [] } = useReceivedShares()
  return data.filter(({ created }) => created > seen).length
}

/** The user looks at the list now. @param latest when the newest share was made */
export function markSharesSeen(latest: number): void {
  const id = String(useSession.getState().user?.id ?? 0)
  if ((useSeen.getState()[id] ?? 0) >= latest) return
  useSeen.setState({ [id]: latest })
  localStorage.setItem(STORAGE_KEY, JSON.stringify(useSeen.getState()))
}

/** The share that the page shows; null in the user's own tree, and while it is not known. */
export function useCurrentShare() {
  const { data } = useQuery({ ...withMeQuery(), enabled: CURRENT_SHARE !== null })
  return data?.find(({ id }) => id === CURRENT_SHARE) ?? null
}

/** Whether the share that the page shows has ended, with what was last known of it; null while it is there, or not known yet. */
export function useEndedShare(): { readonly last: ReceivedShare | null } | null {
  const { data, isSuccess } = useQuery({ ...withMeQuery(), enabled: CURRENT_SHARE !== null })
  const now = data?.find(({ id }) => id === CURRENT_SHARE) ?? null
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  return CURRENT_SHARE !== null && isSuccess && now === null ? { last } : null
}
