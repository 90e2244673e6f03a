import type { Selection } from '../../../data/selection.ts'
import styles from './rubber-band.module.css'
import { runsIn } from './section-area.ts'
import type { Section } from './sections.ts'

/** Smaller movements count as a click. */
const BEGINS_AFTER_PX = 4
/** Distance from the edge at which auto-scrolling starts. */
const EDGE_PX = 36
const FASTEST_PX_PER_SECOND = 6000

/** The surface of a rubber band selection. */
export interface RubberBandSurface {
  readonly scroller: HTMLElement
  /** Contains the entries. */
  readonly content: HTMLElement
  readonly sections: readonly Section[]
  /** Gap between entries, in pixels. */
  readonly gap: number
  readonly order: Uint32Array
  readonly selection: Selection
}

export interface BandPress {
  /** Window coordinates of the press. */
  readonly x: number
  readonly y: number
  readonly pointerId: number
  /** Keeps the previous selection. */
  readonly add: boolean
  /** The current surface; null while it is not mounted. */
  readonly surface: () => RubberBandSurface | null
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Rubber band selection until the mouse button is released, with auto-scrolling near the edges. Escape restores the previous selection.
 * @param press aborted when the button is released
 */
export function drawRubberBand({ x, y, pointerId, add, surface }: BandPress, press: AbortController): void {
  const { signal } = press
  const before = surface()
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
    const now = surface()
    if (now === null) return
    const area = areaBetween(start, pointIn(now, pointer))
    place(box, now, area)
    const runs = runsIn(now.sections, area, { width: now.content.clientWidth, gap: now.gap })
    const said = runs.map(({ from, to }) => `${from}-${to}`).join()
    if (said === touched) return
    touched = said
    now.selection.replace(indicesOf(kept, runs, now.order))
  }
  const tick = (since: number) => (time: number) => {
    const now = surface()
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
    surface()?.selection.replace(chosen)
    press.abort()
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
  signal.addEventListener('abort', () => {
    box.remove()
    if (!drawing) return
    swallowClick()
    const now = surface()
    const [first] = now?.selection.chosen() ?? []
    if (now !== null && first !== undefined && (now.selection.focus === null || !now.selection.has(now.selection.focus)))
      now.selection.focusOn(first)
  })
}

/** In content coordinates: from the top and from the inline start. */
function pointIn({ content }: RubberBandSurface, { x, y }: Point): Point {
  const { left, right, top } = content.getBoundingClientRect()
  return { x: document.documentElement.dir === 'rtl' ? right - x : x - left, y: y - top }
}

function areaBetween(a: Point, b: Point) {
  return { top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y), start: Math.min(a.x, b.x), end: Math.max(a.x, b.x) }
}

/** Clamped to the list, because overflow would extend its scroll area. */
function place(box: HTMLElement, { scroller, content }: RubberBandSurface, area: ReturnType<typeof areaBetween>): void {
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

/** In pixels per second, growing with the distance beyond the edge. */
function scrollSpeed(scroller: HTMLElement, y: number): number {
  const { top, bottom } = scroller.getBoundingClientRect()
  const above = Math.max(0, top + EDGE_PX - y)
  const below = Math.max(0, y - (bottom - EDGE_PX))
  return Math.min(FASTEST_PX_PER_SECOND, below * below * 4) - Math.min(FASTEST_PX_PER_SECOND, above * above * 4)
}

/** Suppresses the click that follows the release, which would change the selection. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => event.stopPropagation()
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
