import { type RefObject, useLayoutEffect, useState } from 'react'
import { useScrollView } from '../../ui/use-scroll-view.ts'

const OVERSCAN = 8

/** Rows of equal height in a scroll container. */
export interface Rows {
  /** Pixels. */
  readonly rowHeight: number
  /** Rows in sight. */
  readonly page: number
  /** Indices to render, ascending: those near the viewport, and the focused one. */
  readonly shown: readonly number[]
  /** Whether the end is near, so that more should be loaded. */
  readonly nearEnd: boolean
}

/** @param scroller its custom property `--row` is the height of a row in rem */
export function useRows(scroller: RefObject<HTMLElement | null>, { count, focus }: { count: number; focus: number | null }): Rows {
  const { top, height, width } = useScrollView(scroller)
  const [rowHeight, setRowHeight] = useState(40)
  // Synchronises with the stylesheet, which has other rows on phones and for other densities.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element !== null) setRowHeight(rowHeightOf(element))
  }, [scroller, width, height])
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  const from = Math.max(0, Math.min(Math.floor(top / rowHeight), count) - OVERSCAN)
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN)
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
  if (focus !== null && focus < from) shown.unshift(focus)
  if (focus !== null && focus >= to && focus < count) shown.push(focus)
  return { rowHeight, page, shown, nearEnd: height > 0 && to + 2 * page >= count }
}

function rowHeightOf(element: HTMLElement): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return (Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 2.5) * rem
}
