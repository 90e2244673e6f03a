/** A known attack, or a class of them: what was done elsewhere, and why it comes to nothing here. In our own words. */
export interface Attack {
  /** What tests name it by: an advisory's id, `R1` or `A4-1`. */
  readonly id: string
  /** Other ids of the same thing; a test that names one of them names it. */
  readonly also?: readonly string[]
  /** What the attacker did. */
  readonly did: string
  /** Why it is impossible here; the invariants it rests on in brackets. */
  readonly why: string
}

/** Attacks with one heading on the page. */
export interface Group {
  readonly title: string
  readonly attacks: readonly Attack[]
}
