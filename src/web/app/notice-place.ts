/** Sides of a rectangle of the window, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface PlaceOptions {
  /** Where the notices stand if nothing is in their way. */
  readonly home: Box
  readonly window: { readonly width: number; readonly height: number }
  /** What can be pressed. */
  readonly actions: readonly Box[]
}

const STEP_PX = 8
/** Between a notice and what can be pressed. */
const GAP_PX = 4

/**
 * How far notices move so that they cover nothing that can be pressed: straight up from their corner, else up from the middle or from the other
 * corner. Where there is no such place, the one that covers least.
 */
export function placeNotices({ home, window, actions }: PlaceOptions): { dx: number; dy: number } {
  const toOtherSide = window.width - home.right - home.left
  let best = { dx: 0, dy: 0, covered: Number.POSITIVE_INFINITY }
  for (const dx of [0, toOtherSide / 2, toOtherSide]) {
    for (let dy = 0; home.top - dy >= 0; dy += STEP_PX) {
      const box = { left: home.left + dx, right: home.right + dx, top: home.top - dy, bottom: home.bottom - dy }
      const covered = actions.filter((action) => isCovered(action, box)).length
      if (covered === 0) return { dx, dy }
      if (covered < best.covered) best = { dx, dy, covered }
    }
  }
  return { dx: best.dx, dy: best.dy }
}

function isCovered(action: Box, by: Box): boolean {
  return (
    action.left < by.right + GAP_PX && action.right > by.left - GAP_PX && action.top < by.bottom + GAP_PX && action.bottom > by.top - GAP_PX
  )
}
