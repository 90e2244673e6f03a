import { useState } from 'react'
import type { PastGesture } from '../../../data/gestures.ts'
import { useUser } from '../../../data/session.ts'
import { useUserNames } from '../../../data/users.ts'

/** Names to filter by: the user's own, those of the gestures seen so far, and for administrators all. */
export function usePeople(gestures: readonly PastGesture[] | undefined): readonly string[] {
  const { username, perm } = useUser()
  const all = useUserNames({ enabled: perm.admin })
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set([username]))
  const more = (gestures ?? []).map(({ by }) => by).filter((by) => by !== '' && !seen.has(by))
  if (more.length > 0) setSeen(new Set([...seen, ...more]))
  return [...new Set([...seen, ...all.values()])].sort((a, b) => (a === username ? -1 : b === username ? 1 : a.localeCompare(b)))
}
