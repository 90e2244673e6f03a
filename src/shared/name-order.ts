import { compareKeys, type NameKeys, keysOfNames } from './name-keys.ts'
import type { Names } from './packed-names.ts'

/** Indices of the names in natural order, those in `first` before all others. */
export function orderOfNames(names: Names, first?: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  return orderOfKeys(keysOfNames(names), first)
}

export function orderOfKeys(keys: NameKeys, first?: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const count = keys.starts.length - 1
  const order = new Uint32Array(count)
  let end = 0
  for (let at = 0; at < count; at++) if (first?.[at]) order[end++] = at
  const middle = end
  for (let at = 0; at < count; at++) if (!first?.[at]) order[end++] = at
  sortByKeys(order.subarray(0, middle), keys)
  sortByKeys(order.subarray(middle), keys)
  return order
}

/** Which rows come first: all folders, then the others. */
export interface FirstWanted {
  /** 1 for each folder. */
  readonly folders: Uint8Array
  readonly count: number
  /** From Z to A. */
  readonly descending: boolean
}

/** Indices of the first rows, in a fraction of the time of sorting all. */
export function firstOfKeys(keys: NameKeys, { folders, count, descending }: FirstWanted): Uint32Array<ArrayBuffer> {
  const sign = descending ? -1 : 1
  const compare = (a: number, b: number): number => sign * compareKeys(keys, a, b, 0)
  const among = (folder: number): number[] => {
    let kept: number[] = []
    let last: number | undefined
    const settle = (): void => {
      kept = kept.sort(compare).slice(0, count)
      last = kept[count - 1]
    }
    for (let at = folders.indexOf(folder); at >= 0; at = folders.indexOf(folder, at + 1)) {
      if (last !== undefined && compare(at, last) > 0) continue
      kept.push(at)
      if (kept.length >= 2 * count) settle()
    }
    settle()
    return kept
  }
  return Uint32Array.from([...among(1), ...among(0)].slice(0, count))
}

/** Bytes of each key compared at once. Together with an index they fit into 53 bits, which a number holds exactly. */
const AT_ONCE = 3
const PLACES = 2 ** 29
/** Up to this many are sorted by comparison. */
const FEW = 12

/**
 * Three bytes of every key and its index form one number. The engine sorts numbers many times faster than with a comparison function. Then
 * keys with equal bytes are sorted by their next three.
 */
export function sortByKeys(order: Uint32Array, keys: NameKeys): void {
  const numbers = new Float64Array(order.length)
  const before = new Uint32Array(order.length)
  /** Ranges of keys that are equal up to a depth: from, to, depth. */
  const waiting = [0, order.length, 0]
  while (waiting.length > 0) {
    const depth = waiting.pop() ?? 0
    const to = waiting.pop() ?? 0
    const from = waiting.pop() ?? 0
    if (to - from <= FEW) {
      sortFew(order.subarray(from, to), keys, depth)
      continue
    }
    for (let at = from; at < to; at++) {
      const index = order[at] ?? 0
      before[at] = index
      numbers[at] = headOf(keys, index, depth) * PLACES + (at - from)
    }
    numbers.subarray(from, to).sort()
    let start = from
    let head = -1
    for (let at = from; at <= to; at++) {
      const number = numbers[at] ?? 0
      const next = at < to ? Math.floor(number / PLACES) : -1
      if (next !== head) {
        const isOver = at - start < 2 || hasEnded(keys, order[start] ?? 0, depth + AT_ONCE)
        if (!isOver) waiting.push(start, at, depth + AT_ONCE)
        start = at
        head = next
      }
      if (at < to) order[at] = before[from + number - next * PLACES] ?? 0
    }
  }
}

function sortFew(order: Uint32Array, keys: NameKeys, depth: number): void {
  for (let at = 1; at < order.length; at++) {
    const index = order[at] ?? 0
    let place = at
    for (; place > 0 && compareKeys(keys, order[place - 1] ?? 0, index, depth) > 0; place--) order[place] = order[place - 1] ?? 0
    order[place] = index
  }
}

/** Keys that have ended come first. */
function headOf({ bytes, starts }: NameKeys, index: number, depth: number): number {
  const at = (starts[index] ?? 0) + depth
  const left = (starts[index + 1] ?? 0) - at
  if (left >= AT_ONCE) return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (left > 0 ? (bytes[at] ?? 0) << 16 : 0) | (left > 1 ? (bytes[at + 1] ?? 0) << 8 : 0)
}

function hasEnded({ starts }: NameKeys, index: number, depth: number): boolean {
  return (starts[index] ?? 0) + depth >= (starts[index + 1] ?? 0)
}
