import { DOUBLE_TAP_MS, PINCH_MOVE_DISABLE_MS } from '../../shared/limits.ts'
import { cycle, FITTED, type Frame, pan, type Point, scaleTo, type Zoom } from './zoom.ts'

/** State of touch and mouse gestures on an image. */
export interface GestureState {
  readonly zoom: Zoom
  /** Active pointers, relative to the centre. */
  readonly fingers: ReadonlyMap<number, Point>
  /** Position of the first press; null after a second finger, because it is neither a tap nor a swipe then. */
  readonly pressed: Point | null
  readonly lastTap: { readonly at: Point; readonly timeMs: number } | null
  readonly pinchedMs: number
}

export interface PointerInput {
  readonly kind: 'down' | 'move' | 'up' | 'cancel'
  readonly id: number
  /** Relative to the centre, in pixels. */
  readonly at: Point
  readonly timeMs: number
  /** Touch rather than mouse: only touch swipes. */
  readonly finger: boolean
}

export const NO_GESTURE: GestureState = {
  zoom: FITTED,
  fingers: new Map(),
  pressed: null,
  lastTap: null,
  pinchedMs: Number.NEGATIVE_INFINITY,
}

/** Smaller movements count as a tap. */
const TAP_PX = 8
const SWIPE_PX = 60
/** A pinch never ends at exactly 1x. */
const NEARLY_FITTED = 1.05

/**
 * One finger pans, two pinch, a double tap within 300 ms cycles 1x, 2x, 4x. For 200 ms after a pinch panning is ignored, because fingers never lift
 * simultaneously. At 1x a horizontal drag swipes.
 */
export function nextGesture(
  state: GestureState,
  { kind, id, at, timeMs, finger }: PointerInput,
  frame: Frame,
): { hands: GestureState; swiped: 'left' | 'right' | null } {
  const before = state.fingers.get(id)
  if (kind === 'down') {
    const fingers = new Map(state.fingers).set(id, at)
    return { hands: { ...state, fingers, pressed: fingers.size === 1 ? at : null }, swiped: null }
  }
  if (before === undefined) return { hands: state, swiped: null }
  const fingers = new Map(state.fingers)
  if (kind === 'move') {
    fingers.set(id, at)
    return { hands: { ...moved(state, { before, at, timeMs, fingers }, frame), fingers }, swiped: null }
  }
  fingers.delete(id)
  const left = { ...state, fingers, pressed: fingers.size === 0 ? null : state.pressed }
  if (kind === 'cancel' || fingers.size > 0 || state.pressed === null) return { hands: left, swiped: null }
  const by = { x: at.x - state.pressed.x, y: at.y - state.pressed.y }
  if (Math.hypot(by.x, by.y) < TAP_PX) return { hands: tapped(left, at, timeMs, frame), swiped: null }
  const sideways = finger && state.zoom.scale < NEARLY_FITTED && Math.abs(by.x) > SWIPE_PX && Math.abs(by.x) > Math.abs(by.y)
  return { hands: { ...left, lastTap: null }, swiped: sideways ? (by.x > 0 ? 'right' : 'left') : null }
}

interface Move {
  readonly before: Point
  readonly at: Point
  readonly timeMs: number
  readonly fingers: ReadonlyMap<number, Point>
}

function moved(state: GestureState, { before, at, timeMs, fingers }: Move, frame: Frame): GestureState {
  if (fingers.size === 2) {
    const [was, is] = [spread(state.fingers), spread(fingers)]
    return { ...state, pinchedMs: timeMs, zoom: scaleTo(state.zoom, state.zoom.scale * (is.distance / was.distance), is.middle, frame) }
  }
  if (fingers.size > 2 || timeMs - state.pinchedMs < PINCH_MOVE_DISABLE_MS) return state
  return { ...state, zoom: pan(state.zoom, { x: at.x - before.x, y: at.y - before.y }, frame) }
}

function tapped(state: GestureState, at: Point, timeMs: number, frame: Frame): GestureState {
  const { lastTap } = state
  if (lastTap === null || timeMs - lastTap.timeMs >= DOUBLE_TAP_MS) return { ...state, lastTap: { at, timeMs } }
  return { ...state, lastTap: null, zoom: cycle(state.zoom, at, frame) }
}

function spread(fingers: ReadonlyMap<number, Point>): { distance: number; middle: Point } {
  const [a = { x: 0, y: 0 }, b = { x: 0, y: 0 }] = [...fingers.values()]
  return { distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } }
}
