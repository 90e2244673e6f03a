/** The state at the time of a lookup; only `AccessChanges` interprets it. */
export interface AccessVersion {
  readonly changes: number
  readonly writes: number
  readonly at: number
}

/** Tells whether cached knowledge about access (accounts, rules, rights, sessions, links) is still valid. */
export interface AccessChanges {
  /** Call this before looking something up. */
  version(): AccessVersion
  /** Whether this server has heard of no change since then, and it is less than a second ago. Cheap enough to call for every file. */
  isFresh(version: AccessVersion): boolean
  /**
   * Calls `listener` after each change that this server hears of, with the user it concerns, or null for everybody.
   * @returns a function that unsubscribes
   */
  on(listener: (userId: number | null) => void): () => void
}

/**
 * A value that is looked up again as soon as it may have changed; without changes, the database is not asked.
 * @returns a function that gives the current value, synchronously if it is fresh. It fails as `ask` does.
 */
export function createLatest<T>(
  known: T,
  ask: () => Promise<T>,
  changes: Pick<AccessChanges, 'version' | 'isFresh'>,
): () => T | Promise<T> {
  let latest = known
  let version = changes.version()
  let asking: { readonly version: AccessVersion; readonly value: Promise<T> } | null = null

  function lookUp(): Promise<T> {
    const one = { version: changes.version(), value: ask() }
    asking = one
    return one.value.then(
      (value) => {
        if (asking === one) [latest, version, asking] = [value, one.version, null]
        return value
      },
      (error: unknown) => {
        if (asking === one) asking = null
        throw error
      },
    )
  }

  return () => {
    if (changes.isFresh(version)) return latest
    // A lookup that started before a change may have read the state before it.
    return asking !== null && changes.isFresh(asking.version) ? asking.value : lookUp()
  }
}
