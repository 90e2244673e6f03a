/** When something was looked up; only `AccessChanges` reads it. */
export interface AccessVersion {
  readonly changes: number
  readonly writes: number
  readonly at: number
}

/** Whether what is known about people's access is still true: accounts, rules, rights, sessions, links. */
export interface AccessChanges {
  /** To be taken before something is looked up. */
  version(): AccessVersion
  /** Whether nothing that this server has heard of changed since, and it is less than a second ago. Cheap enough to be asked for every file. */
  isFresh(version: AccessVersion): boolean
  /** Calls `listener` after each change that this server hears of, with whom it concerns; null for everybody. @returns a function that ends it */
  on(listener: (userId: number | null) => void): () => void
}

/**
 * A value that is looked up again as soon as it may have changed: without a question to the database as long as nothing did.
 * @returns a function for the value of this moment, without a promise where nothing has to be looked up. It fails as `ask` does.
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
    // A look-up that began before a change may have read what was true before it.
    return asking !== null && changes.isFresh(asking.version) ? asking.value : lookUp()
  }
}
