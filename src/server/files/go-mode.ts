const TYPE_BITS = 0o170000
const FOLDER = 0o040000
const REGULAR = 0o100000

export function isFolderMode(mode: number): boolean {
  return (mode & TYPE_BITS) === FOLDER
}

export function isRegularMode(mode: number): boolean {
  return (mode & TYPE_BITS) === REGULAR
}

/** POSIX st_mode as Go's FileMode, which the predecessor's clients expect. */
export function goMode(mode: number): number {
  const special = SPECIAL.reduce((sum, [posix, go]) => ((mode & posix) === 0 ? sum : sum + go), 0)
  return (mode & 0o777) + special + (GO_TYPE[mode & TYPE_BITS] ?? 2 ** 19)
}

/** setuid, setgid, sticky. */
const SPECIAL = [
  [0o4000, 2 ** 23],
  [0o2000, 2 ** 22],
  [0o1000, 2 ** 20],
] as const

const GO_TYPE: Record<number, number> = {
  [REGULAR]: 0,
  [FOLDER]: 2 ** 31,
  0o120000: 2 ** 27,
  0o060000: 2 ** 26,
  0o020000: 2 ** 26 + 2 ** 21,
  0o010000: 2 ** 25,
  0o140000: 2 ** 24,
}
