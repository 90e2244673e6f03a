import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { Density } from '../../../data/view.ts'
import { type Section, rowsBetween, type VisibleRow } from './sections.ts'
import type { LayoutMetrics } from './layouts.ts'

/** Maximum number of entries at first paint. */
const FIRST_PAINT = 48
const OVERSCAN_PX = 240
/** Two jumps within this time mean that the scroll bar is being dragged; without one for as long, dragging has ended. */
const HURRY_MS = 150

export interface Frame extends LayoutMetrics {
  /** Height of the viewport in pixels. */
  readonly height: number
}

/** Layout metrics, measured before the first paint and on every resize; null until then. */
export function useFrame(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  { phone, density }: { phone: boolean; density: Density },
): Frame | null {
  const [frame, setFrame] = useState<Frame | null>(null)
  useLayoutEffect(() => {
    const outer = scroller.current
    const inner = content.current
    if (outer === null || inner === null) return
    const measure = () => {
      const style = getComputedStyle(outer)
      const token = (name: string, otherwise: number) => pixelsOf(style.getPropertyValue(name)) ?? otherwise
      const size = { width: inner.clientWidth, height: outer.clientHeight }
      const now = {
        ...size,
        row: token('--row', 40),
        tile: token('--tile', 176),
        glyph: token('--glyph', 28),
        phone,
        zoom: rootFontSize() / 16,
      }
      setFrame((before) => (before !== null && isSame(before, now) ? before : now))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(outer)
    observer.observe(inner)
    return () => observer.disconnect()
    // The density changes the tokens.
  }, [scroller, content, phone, density])
  return frame
}

/** Pixels of a length in `px` or `rem`; null for anything else. */
function pixelsOf(length: string): number | null {
  const value = Number.parseFloat(length)
  if (Number.isNaN(value)) return null
  return length.trim().endsWith('rem') ? value * rootFontSize() : value
}

/** Root font size in pixels; 16 by default. */
function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** The rows near the viewport. Scrolling within a row renders nothing. `hurried` during fast scrolling. */
export function useShownRows(
  scroller: RefObject<HTMLElement | null>,
  sections: readonly Section[],
  height: number,
): { rows: VisibleRow[]; hurried: boolean; scrollTo: (top: number) => void } {
  const [top, setTop] = useState(0)
  const [hurried, setHurried] = useState(false)
  const [painted, setPainted] = useState(false)
  const [moved, setMoved] = useState(false)
  const step = Math.min(80, ...sections.map(({ rowHeight }) => rowHeight))
  const stepped = (y: number) => Math.max(0, Math.floor(y / step) * step)

  // Passive, so that scrolling never waits.
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let last = { at: element.scrollTop, leapt: Number.NEGATIVE_INFINITY }
    let rest: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      const at = element.scrollTop
      setTop(Math.max(0, Math.floor(at / step) * step))
      if (at > 0) setMoved(true)
      const now = performance.now()
      const leaps = Math.abs(at - last.at) >= element.clientHeight
      if (leaps && now - last.leapt < HURRY_MS) setHurried(true)
      last = { at, leapt: leaps ? now : last.leapt }
      clearTimeout(rest)
      rest = setTimeout(() => setHurried(false), HURRY_MS)
    }
    onScroll()
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(rest)
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller, step])
  useEffect(() => setPainted(true), [])

  const overscan = Math.max(1, Math.ceil(OVERSCAN_PX / Math.max(1, ...sections.map(({ rowHeight }) => rowHeight))))
  const stretch = { top, bottom: top + height + step }
  const rows = rowsBetween(sections, { ...stretch, overscan, atMost: moved ? undefined : painted ? needed(sections, height) : FIRST_PAINT })
  return {
    rows,
    hurried,
    scrollTo(y) {
      if (scroller.current === null) return
      scroller.current.scrollTop = y
      // The scroll event comes a frame later; render now.
      setTop(stepped(scroller.current.scrollTop))
      setMoved(true)
    },
  }
}

/** Limits the first paint until the user scrolls, unless more is visible. */
function needed(sections: readonly Section[], height: number): number {
  const inSight = rowsBetween(sections, { top: 0, bottom: height, overscan: 0 })
  return Math.max(
    FIRST_PAINT,
    inSight.reduce((sum, { count }) => sum + count, 0),
  )
}

function isSame(a: Frame, b: Frame): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.row === b.row &&
    a.tile === b.tile &&
    a.glyph === b.glyph &&
    a.zoom === b.zoom &&
    a.phone === b.phone
  )
}
