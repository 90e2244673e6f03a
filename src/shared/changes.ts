/** Whether two form values are equal; plain objects and lists are compared by content. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]))
  if (!isRecord(a) || !isRecord(b)) return false
  return keysOf(a, b).every((key) => isSame(a[key], b[key]))
}

/** The fields in which two objects differ, such as `branding.name`; a list is one field. */
export function changedPlaces(before: unknown, after: unknown, place = ''): string[] {
  if (isSame(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [place]
  return keysOf(before, after).flatMap((key) => changedPlaces(before[key], after[key], place === '' ? key : `${place}.${key}`))
}

/** The current version with my changes since I read it; what others changed meanwhile is kept. */
export function mergeChanges<T>(base: T, mine: T, theirs: T): T {
  if (isSame(base, mine)) return theirs
  if (!isRecord(base) || !isRecord(mine) || !isRecord(theirs)) return mine
  const merged = keysOf(mine, theirs).map((key) => [key, mergeChanges<unknown>(base[key], mine[key], theirs[key])])
  // Every key has the value of one of the three, which all have this type.
  return Object.fromEntries(merged) as T
}

/** The fields that both sides changed to different values. */
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
