/** A known attack or a class of attacks, and the defence. In our own words. */
export interface Attack {
  /** The id that tests use: that of an advisory, `R1` or `A4-1`. */
  readonly id: string
  /** Other ids of the same attack; tests may use any of them. */
  readonly also?: readonly string[]
  /** What the attacker did. */
  readonly did: string
  /** Why it does not work here, with the invariants in brackets. */
  readonly why: string
}

/** The attacks under one heading of the page. */
export interface Group {
  readonly title: string
  readonly attacks: readonly Attack[]
}
