import { compareKeys, type NameKeys } from './name-keys.ts'
import { sortByKeys } from './name-order.ts'
import { type Names, packNames } from './packed-names.ts'

/** Names sorted without yielding: about 2 ms. */
const RUN_NAMES = 4096

/**
 * Indices in the order of the names' bytes. Sorts in runs, yielding in between, and merges them while they are read. As strings, 300,000 names took
 * 40 MB.
 */
export async function orderByBytes(names: Names, checkpoint: () => Promise<void>): Promise<Generator<number, void>> {
  const keys = packNames(names)
  const order = Uint32Array.from(keys.keys())
  const runs: Uint32Array[] = []
  for (let at = 0; at < order.length; at += RUN_NAMES) {
    const run = order.subarray(at, at + RUN_NAMES)
    sortByKeys(run, keys)
    runs.push(run)
    await checkpoint()
  }
  return merged(runs, keys)
}

interface Head {
  readonly run: Uint32Array
  at: number
}

/** The heads of all runs are a heap. */
function* merged(runs: readonly Uint32Array[], keys: NameKeys): Generator<number, void> {
  const compare = (a: Head, b: Head): number => compareKeys(keys, a.run[a.at] ?? 0, b.run[b.at] ?? 0, 0)
  const heads = runs.map((run): Head => ({ run, at: 0 })).sort(compare)
  for (let least = heads[0]; least !== undefined; least = heads[0]) {
    yield least.run[least.at] ?? 0
    least.at += 1
    const last = least.at === least.run.length ? heads.pop() : least
    if (last !== undefined && heads.length > 0) sink(heads, last, compare)
  }
}

/** Replaces the least head. */
function sink(heads: Head[], head: Head, compare: (a: Head, b: Head) => number): void {
  let at = 0
  for (let child = 1; child < heads.length; child = 2 * at + 1) {
    const right = heads[child + 1]
    if (right !== undefined && compare(right, heads[child] ?? right) < 0) child += 1
    const less = heads[child] ?? head
    if (compare(head, less) <= 0) break
    heads[at] = less
    at = child
  }
  heads[at] = head
}
