/** Where a call comes from, for the list of devices. */
export interface Origin {
  readonly address: string | null
  readonly userAgent: string
}

/** A new session: its secrets, returned once. */
export interface Opened {
  readonly token: string
  /** To be set if this session is newly bound to a cookie; null otherwise. */
  readonly cookie: string | null
}
