/** Where somebody was in a folder they left, to be there again when they come Back. */
export interface Whereabouts {
  readonly scrollTop: number
  readonly focused: string | null
  /** What the folder was narrowed to; null where it was not. */
  readonly filter: string | null
}

const KEPT = 100
const visits = new Map<string, Whereabouts>()

/** @param visit the key of the history entry */
export function rememberVisit(visit: string, whereabouts: Whereabouts): void {
  visits.delete(visit)
  visits.set(visit, whereabouts)
  const [oldest] = visits.keys()
  if (visits.size > KEPT && oldest !== undefined) visits.delete(oldest)
}

export function recallVisit(visit: string): Whereabouts | null {
  return visits.get(visit) ?? null
}
