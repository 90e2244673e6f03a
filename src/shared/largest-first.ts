/**
 * What each of several holders has to give so that together they give `bytes`: the largest until it has no more than the next one, then both, and so
 * on. Who has little keeps it.
 * @param holders how much each has
 * @returns for those that have to give something, how much
 */
export function largestFirst<T>(holders: ReadonlyMap<T, number>, bytes: number): Map<T, number> {
  const ascending = [...holders].toSorted(([, a], [, b]) => a - b)
  let left = Math.max(0, ascending.reduce((sum, [, held]) => sum + held, 0) - Math.max(0, bytes))
  const given = new Map<T, number>()
  for (const [index, [holder, held]] of ascending.entries()) {
    const kept = Math.min(held, left / (ascending.length - index))
    left -= kept
    if (kept < held) given.set(holder, held - kept)
  }
  return given
}
