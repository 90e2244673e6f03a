/** What several servers count together of wrong guesses; a server that is alone counts in memory. */
export interface GuessCountsTable {
  /** Hash of the limiter, the kind and the name. */
  key: string
  /** One of `COUNT_KINDS`. */
  kind: string
  count: number
  last_at: number
  next_at: number
}
