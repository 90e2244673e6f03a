/** What was seen of a target, written by the process that explores it for the one that waits for it. */
export interface Result {
  readonly runs: number
  readonly corpus: number
  readonly branches: number
  readonly reached: number
  readonly slowestMs: number
  readonly finds: readonly { input: string; was: string }[]
  /** Base64, shortest first. */
  readonly essence: readonly string[]
}
