/** When something was looked up; only `AccessChanges` reads it. */
export interface Mark {
  readonly changes: number
  readonly writes: number
  readonly at: number
}

/** Whether what is known about people's access is still true: accounts, rules, rights, sessions, links. */
export interface AccessChanges {
  /** To be taken before something is looked up. */
  mark(): Mark
  /** Whether nothing that this server has heard of changed since, and it is less than a second ago. Cheap enough to be asked for every file. */
  isFresh(mark: Mark): boolean
  /** Calls `listener` after each change that this server hears of, with whom it concerns; null for everybody. @returns a function that ends it */
  on(listener: (userId: number | null) => void): () => void
}

/**
 * A value that is looked up again as soon as it may have changed: without a question to the database as long as nothing did.
 * @returns a function for the value of this moment, without a promise where nothing has to be looked up. It fails as `ask` does.
 */
export function createLatest<T>(known: T, ask: () => Promise<T>, changes: Pick<AccessChanges, 'mark' | 'isFresh'>): () => T | Promise<T> {
  let latest = known
  let mark = changes.mark()
  let asking: Promise<T> | null = null

  async function lookUp(): Promise<T> {
    const asked = changes.mark()
    const value = await ask()
    latest = value
    mark = asked
    return value
  }

  return () => {
    if (changes.isFresh(mark)) return latest
    asking ??= lookUp().finally(() => (asking = null))
    return asking
  }
}
