/** Sides of a rectangle in the window, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface PositionOptions {
  /** Default position of the notices. */
  readonly anchor: Box
  readonly window: { readonly width: number; readonly height: number }
  /** Rectangles of the controls. */
  readonly controls: readonly Box[]
}

const STEP_PX = 8
/** Minimum distance between a notice and a control. */
const GAP_PX = 4

/**
 * How far to move the notices so that they cover no control: up from their corner, otherwise up from the bottom centre or from the other corner. If
 * no position is free, the one that covers least.
 */
export function positionNotices({ anchor, window, controls }: PositionOptions): { dx: number; dy: number } {
  const toOtherSide = window.width - anchor.right - anchor.left
  let best = { dx: 0, dy: 0, covered: Number.POSITIVE_INFINITY }
  for (const dx of [0, toOtherSide / 2, toOtherSide]) {
    for (let dy = 0; anchor.top - dy >= 0; dy += STEP_PX) {
      const box = { left: anchor.left + dx, right: anchor.right + dx, top: anchor.top - dy, bottom: anchor.bottom - dy }
      const covered = controls.filter((action) => isCovered(action, box)).length
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
