/** Where a call comes from, for the list of devices. */
export interface Origin {
  readonly address: string | null
  readonly userAgent: string
  /** The secret by which a browser is known, from its cookie; empty if it has none. */
  readonly browser?: string
}

/** A new session: its secrets, returned once. */
export interface Opened {
  readonly token: string
  /** To be set if this session is newly bound to a cookie; null otherwise. */
  readonly cookie: string | null
  /** The secret by which this browser will be known; null if it has one, or needs none. */
  readonly browser?: string | null
}
