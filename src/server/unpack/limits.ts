/** What an archive may ask for (security A.4): whatever goes beyond is a bomb, or too much for one go. */
export interface UnpackLimits {
  readonly entries: number
  /** Of all contents together. */
  readonly bytes: number
  /** Bytes that may come of one byte of archive, counted only beyond `freeBytes`. */
  readonly ratio: number
  readonly freeBytes: number
  /** Of all names together, in characters: also a small archive can hold long ones without end. */
  readonly nameChars: number
  readonly wallMs: number
}

export const UNPACK_LIMITS: UnpackLimits = {
  entries: 500_000,
  bytes: 256 * 1024 ** 3,
  ratio: 200,
  freeBytes: 1024 ** 3,
  nameChars: 64 * 1024 ** 2,
  wallMs: 6 * 3600_000,
}

/** A listing is shown to somebody; more lines are nobody's reading. */
export const MOST_LISTED = 50_000
