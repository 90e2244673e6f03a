import { ZOOM_MAX, ZOOM_MIN, ZOOM_STEP } from '../../shared/limits.ts'

/** Scale of an image and its offset from the centre, in pixels. */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** Viewport and image size in pixels, at scale 1. */
export interface Frame {
  readonly stage: { readonly width: number; readonly height: number }
  readonly image: { readonly width: number; readonly height: number }
}

export const FITTED: Zoom = { scale: 1, x: 0, y: 0 }

/** Double click or tap: cycles 1x, 2x, 4x. */
export function cycle(zoom: Zoom, around: Point, frame: Frame): Zoom {
  const next = zoom.scale < 2 ? 2 : zoom.scale < 4 ? 4 : 1
  return scaleTo(zoom, next, around, frame)
}

/** One wheel notch changes the scale by 0.25. */
export function wheel(zoom: Zoom, delta: number, around: Point, frame: Frame): Zoom {
  return scaleTo(zoom, zoom.scale - Math.sign(delta) * ZOOM_STEP, around, frame)
}

/** + or −: one notch around the centre. */
export function step(zoom: Zoom, by: 1 | -1, frame: Frame): Zoom {
  return scaleTo(zoom, zoom.scale + by * ZOOM_STEP, { x: 0, y: 0 }, frame)
}

/** Sets a scale, from 0.25 to 4, keeping the point `around` in place. @param around relative to the centre */
export function scaleTo(zoom: Zoom, scale: number, around: Point, frame: Frame): Zoom {
  const clamped = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, scale))
  const ratio = clamped / zoom.scale
  return kept({ scale: clamped, x: around.x - (around.x - zoom.x) * ratio, y: around.y - (around.y - zoom.y) * ratio }, frame)
}

export function pan(zoom: Zoom, by: Point, frame: Frame): Zoom {
  return kept({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, frame)
}

/** Clamps the offset; a smaller image stays centred. */
function kept(zoom: Zoom, { stage, image }: Frame): Zoom {
  return {
    scale: zoom.scale,
    x: within(zoom.x, (image.width * zoom.scale - stage.width) / 2),
    y: within(zoom.y, (image.height * zoom.scale - stage.height) / 2),
  }
}

function within(value: number, room: number): number {
  return room <= 0 ? 0 : Math.min(room, Math.max(-room, value))
}
