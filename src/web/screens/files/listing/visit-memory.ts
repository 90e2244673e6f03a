/** Scroll position, focus and filter of a folder, restored on Back. */
export interface ScrollState {
  readonly scrollTop: number
  readonly focused: string | null
  /** Null if the folder was not filtered. */
  readonly filter: string | null
}

const KEPT = 100
const visits = new Map<string, ScrollState>()

/** @param visit the key of the history entry */
export function rememberVisit(visit: string, state: ScrollState): void {
  visits.delete(visit)
  visits.set(visit, state)
  const [oldest] = visits.keys()
  if (visits.size > KEPT && oldest !== undefined) visits.delete(oldest)
}

export function recallVisit(visit: string): ScrollState | null {
  return visits.get(visit) ?? null
}
