import { type RefObject, useLayoutEffect, useState } from 'react'

export interface OverflowOptions {
  /** The available space. */
  readonly container: RefObject<HTMLElement | null>
  /** All items at full width, visually hidden, in the same order. */
  readonly measure: RefObject<HTMLElement | null>
  /** Indices of the items by descending priority. */
  readonly priority: readonly number[]
}

/** Which items fit side by side, measured again when the container or the texts change; the others belong in an overflow menu. */
export function useOverflow({ container, measure, priority }: OverflowOptions): ReadonlySet<number> {
  const [fitting, setFitting] = useState<ReadonlySet<number>>(new Set())
  const key = priority.join()
  useLayoutEffect(() => {
    const [outer, ruler] = [container.current, measure.current]
    if (outer === null || ruler === null) return
    const ranked = key === '' ? [] : key.split(',').map(Number)
    const look = () => {
      const widths = [...ruler.children].map((item) => item.getBoundingClientRect().width)
      const now = fit(widths, ranked, outer.clientWidth)
      setFitting((before) => (before.size === now.size && [...now].every((one) => before.has(one)) ? before : now))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(outer)
    observer.observe(ruler)
    return () => observer.disconnect()
    // Compared by value: callers create a new array on every rendering.
  }, [container, measure, key])
  return fitting
}

/** As many items as fit by priority; never skips one for a shorter item of lower priority. */
export function fit(widths: readonly number[], order: readonly number[], room: number): Set<number> {
  const chosen = new Set<number>()
  let left = room
  for (const at of order) {
    left -= Math.ceil(widths[at] ?? 0)
    if (left < 0) break
    chosen.add(at)
  }
  return chosen
}
