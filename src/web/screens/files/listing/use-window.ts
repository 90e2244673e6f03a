import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { Density } from '../../../data/view.ts'
import { type Band, rowsBetween, type ShownRow } from './bands.ts'
import type { Room } from './layouts.ts'

/** Entries in the document at first paint stay below fifty. */
const FIRST_PAINT = 48
const OVERSCAN_PX = 240
/** Two leaps within so many milliseconds are a hand on the scroll bar; after as long without one it has let go. */
const HURRY_MS = 150

export interface Frame extends Room {
  /** Of the part that scrolls, in pixels. */
  readonly height: number
}

/** The room for entries, measured before the first paint and whenever it changes; null until then. */
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
    // The density says itself through the tokens.
  }, [scroller, content, phone, density])
  return frame
}

/** Of a length in `px` or `rem`; null for anything else. */
function pixelsOf(length: string): number | null {
  const value = Number.parseFloat(length)
  if (Number.isNaN(value)) return null
  return length.trim().endsWith('rem') ? value * rootFontSize() : value
}

/** In pixels; 16 unless somebody wants larger or smaller text. */
function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** The rows near the part on show. Scrolling inside one row draws nothing. `hurried` while they fly past, each seen for a frame or two. */
export function useShownRows(
  scroller: RefObject<HTMLElement | null>,
  bands: readonly Band[],
  height: number,
): { rows: ShownRow[]; hurried: boolean; scrollTo: (top: number) => void } {
  const [top, setTop] = useState(0)
  const [hurried, setHurried] = useState(false)
  const [painted, setPainted] = useState(false)
  const [moved, setMoved] = useState(false)
  const step = Math.min(80, ...bands.map(({ rowHeight }) => rowHeight))
  const stepped = (y: number) => Math.max(0, Math.floor(y / step) * step)

  // Listens to the scroller; passive, so that it never waits for us.
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

  const overscan = Math.max(1, Math.ceil(OVERSCAN_PX / Math.max(1, ...bands.map(({ rowHeight }) => rowHeight))))
  const stretch = { top, bottom: top + height + step }
  const rows = rowsBetween(bands, { ...stretch, overscan, atMost: moved ? undefined : painted ? needed(bands, height) : FIRST_PAINT })
  return {
    rows,
    hurried,
    scrollTo(y) {
      if (scroller.current === null) return
      scroller.current.scrollTop = y
      // The event comes a frame later; the rows should not.
      setTop(stepped(scroller.current.scrollTop))
      setMoved(true)
    },
  }
}

/** Until somebody scrolls, no more than fits a first paint, unless more than that is in sight. */
function needed(bands: readonly Band[], height: number): number {
  const inSight = rowsBetween(bands, { top: 0, bottom: height, overscan: 0 })
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
