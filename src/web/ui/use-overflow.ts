import { type RefObject, useLayoutEffect, useState } from 'react'

export interface OverflowOptions {
  /** What the items have for themselves. */
  readonly container: RefObject<HTMLElement | null>
  /** All items at their full width, out of sight, in the same order. */
  readonly measure: RefObject<HTMLElement | null>
  /** Positions of the items, the one that stays longest first. */
  readonly priority: readonly number[]
}

/** Which of some items fit beside each other, measured again whenever their room or their words change; the others belong into a menu. */
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
    // The order by its value: it is made anew with each drawing.
  }, [container, measure, key])
  return fitting
}

/** As many as have room, in the order of their importance, without passing one over for a shorter one that matters less. */
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
