/** Whether two values of a form say the same: plain objects and lists by what they hold. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]))
  if (!isRecord(a) || !isRecord(b)) return false
  return keysOf(a, b).every((key) => isSame(a[key], b[key]))
}

/** The places in which two objects differ, such as `branding.name`; a list is one place. */
export function changedPlaces(before: unknown, after: unknown, place = ''): string[] {
  if (isSame(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [place]
  return keysOf(before, after).flatMap((key) => changedPlaces(before[key], after[key], place === '' ? key : `${place}.${key}`))
}

/** What is there now, with what I changed since I read it; what others changed meanwhile stays. */
export function mergeChanges<T>(base: T, mine: T, theirs: T): T {
  if (isSame(base, mine)) return theirs
  if (!isRecord(base) || !isRecord(mine) || !isRecord(theirs)) return mine
  const merged = keysOf(mine, theirs).map((key) => [key, mergeChanges<unknown>(base[key], mine[key], theirs[key])])
  // Every key has the value of one of the three, which are all of this type.
  return Object.fromEntries(merged) as T
}

/** The places that I and somebody else changed, each to something else. */
export function clashesOf<T>(base: T, mine: T, theirs: T): string[] {
  const others = new Set(changedPlaces(base, theirs))
  const differing = new Set(changedPlaces(mine, theirs))
  return changedPlaces(base, mine).filter((place) => others.has(place) && differing.has(place))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function keysOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
}
