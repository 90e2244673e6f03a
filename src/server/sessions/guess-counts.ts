/** What is counted of one address, account or network. */
export interface Count {
  /** Attempts; in a token bucket, the tokens that were left at `lastAt`. */
  readonly count: number
  /** In milliseconds since 1970, as `nextAt`. */
  readonly lastAt: number
  /** The next attempt is refused before. */
  readonly nextAt: number
}

export const COUNT_KINDS = ['device', 'pair', 'account', 'first', 'address', 'mistakes', 'bucket'] as const
export type CountKind = (typeof COUNT_KINDS)[number]

export interface CountKey {
  readonly kind: CountKind
  readonly name: string
}

/** The counts that one attempt is about, as they are at this moment. */
export interface Counts {
  get(key: CountKey): Count | undefined
  set(key: CountKey, count: Count): void
  delete(key: CountKey): void
}

/** PORT: the counts of one limiter. */
export interface GuessCounts {
  /**
   * Runs `step` over the counts of `keys` while nobody else changes any count of this limiter, on any server. If it throws, nothing is stored. An
   * unused count may be forgotten.
   * @param client takes turns with other clients, where they have to wait for each other
   */
  change<T>(client: string, keys: readonly CountKey[], step: (counts: Counts) => T): Promise<T>
}

/** Counts of each kind that are kept, at least. */
export const KEPT_COUNTS = 20_000
