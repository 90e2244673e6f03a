/** Limits of an archive: whatever exceeds them is a bomb, or too much for one extraction. */
export interface UnpackLimits {
  readonly entries: number
  /** Bytes of all contents together. */
  readonly bytes: number
  /** Ratio of extracted bytes to archive bytes, beyond `freeBytes`. */
  readonly ratio: number
  readonly freeBytes: number
  /** Characters of all names together: a small archive can contain endless names. */
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

/** Maximum number of lines in a listing for people. */
export const MOST_LISTED = 50_000
