import { runsIn } from './band-area.ts'
import styles from './rubber-band.module.css'
import type { Ground } from './use-rubber-band.ts'

/** A hand is not that steady: less is a click. */
const BEGINS_AFTER_PX = 4
/** So near the edge the list scrolls, the faster the nearer and beyond. */
const EDGE_PX = 36
const FASTEST_PX_PER_SECOND = 6000

export interface BandPress {
  /** In the window, where the mouse was pressed. */
  readonly x: number
  readonly y: number
  readonly pointerId: number
  /** What was selected stays. */
  readonly add: boolean
  /** As it is now; null while there is none. */
  readonly ground: () => Ground | null
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Draws a rubber band until the mouse is let go, and selects what it touches as it grows; near the edges the list scrolls. Escape gives back
 * what was selected before.
 * @param press aborts when the mouse is let go
 */
export function drawRubberBand({ x, y, pointerId, add, ground }: BandPress, press: AbortController): void {
  const { signal } = press
  const before = ground()
  if (before === null) return
  const chosen = [...before.selection.chosen()]
  const kept = add || before.selection.multiple ? chosen : []
  const start = pointIn(before, { x, y })
  const box = document.createElement('div')
  box.className = styles.band ?? ''
  box.dataset.part = 'rubber-band'
  let pointer: Point = { x, y }
  let drawing = false
  let touched = ''

  const draw = () => {
    const now = ground()
    if (now === null) return
    const area = areaBetween(start, pointIn(now, pointer))
    place(box, now, area)
    const runs = runsIn(now.bands, area, { width: now.content.clientWidth, gap: now.gap })
    const said = runs.map(({ from, to }) => `${from}-${to}`).join()
    if (said === touched) return
    touched = said
    now.selection.replace(indicesOf(kept, runs, now.order))
  }
  const tick = (since: number) => (time: number) => {
    const now = ground()
    if (signal.aborted || now === null) return
    const by = (scrollSpeed(now.scroller, pointer.y) * (time - since)) / 1000
    if (by !== 0) {
      now.scroller.scrollTop += by
      draw()
    }
    requestAnimationFrame(tick(time))
  }
  const onMove = (event: PointerEvent) => {
    pointer = { x: event.clientX, y: event.clientY }
    if (!drawing) {
      if (Math.hypot(pointer.x - x, pointer.y - y) < BEGINS_AFTER_PX) return
      drawing = true
      before.scroller.setPointerCapture(pointerId)
      before.content.append(box)
      requestAnimationFrame(tick(performance.now()))
    }
    draw()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !drawing) return
    event.preventDefault()
    event.stopImmediatePropagation()
    ground()?.selection.replace(chosen)
    press.abort()
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
  signal.addEventListener('abort', () => {
    box.remove()
    if (!drawing) return
    swallowClick()
    const now = ground()
    const [first] = now?.selection.chosen() ?? []
    if (now !== null && first !== undefined && (now.selection.focus === null || !now.selection.has(now.selection.focus)))
      now.selection.focusOn(first)
  })
}

/** In the content: from its top, and from the start of its lines. */
function pointIn({ content }: Ground, { x, y }: Point): Point {
  const { left, right, top } = content.getBoundingClientRect()
  return { x: document.documentElement.dir === 'rtl' ? right - x : x - left, y: y - top }
}

function areaBetween(a: Point, b: Point) {
  return { top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y), start: Math.min(a.x, b.x), end: Math.max(a.x, b.x) }
}

/** Drawn only as far as the list reaches: what reaches further would make it longer. */
function place(box: HTMLElement, { scroller, content }: Ground, area: ReturnType<typeof areaBetween>): void {
  const height = Math.max(content.clientHeight, scroller.clientHeight - content.offsetTop)
  const top = Math.max(0, area.top)
  const start = Math.max(0, area.start)
  box.style.insetBlockStart = `${top}px`
  box.style.insetInlineStart = `${start}px`
  box.style.blockSize = `${Math.max(0, Math.min(height, area.bottom) - top)}px`
  box.style.inlineSize = `${Math.max(0, Math.min(content.clientWidth, area.end) - start)}px`
}

function* indicesOf(kept: readonly number[], runs: ReturnType<typeof runsIn>, order: Uint32Array): Generator<number> {
  yield* kept
  for (const { from, to } of runs) yield* order.subarray(from, to)
}

/** Pixels per second: slow at first, and fast for those who pull. */
function scrollSpeed(scroller: HTMLElement, y: number): number {
  const { top, bottom } = scroller.getBoundingClientRect()
  const above = Math.max(0, top + EDGE_PX - y)
  const below = Math.max(0, y - (bottom - EDGE_PX))
  return Math.min(FASTEST_PX_PER_SECOND, below * below * 4) - Math.min(FASTEST_PX_PER_SECOND, above * above * 4)
}

/** The browser calls letting go a click, which would select nothing or something else. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => event.stopPropagation()
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
