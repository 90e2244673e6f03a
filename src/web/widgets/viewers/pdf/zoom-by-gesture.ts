import { TouchManager } from 'pdfjs-dist'
import type { PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs'

/** Pages are drawn anew after the gesture; until then they are stretched. */
const DRAW_AFTER_MS = 300
/** A notch of a wheel scrolls by 100 pixels or more, and zooms by less than a third; touchpads report a pinch as Ctrl and small deltas. */
const MOST_DELTA = 25

/** Pinching and Ctrl+wheel zoom the pages instead of the whole page of the browser, around the fingers or the pointer. */
export function zoomByGesture(viewer: PDFViewer, { container, signal }: { container: HTMLElement; signal: AbortSignal }): void {
  // The viewer keeps whole percents: small steps are collected until they are one.
  let rest = 1
  const zoom = (factor: number, origin: [number, number]) => {
    const before = viewer.currentScale
    rest *= factor
    viewer.updateScale({ scaleFactor: rest, origin, drawingDelay: DRAW_AFTER_MS })
    // At the limits, nothing is collected.
    if (viewer.currentScale !== before || Math.abs(rest - 1) > 0.1) rest = 1
  }
  const touches = new TouchManager({
    container,
    onPinchStart: () => (rest = 1),
    onPinching: (origin: [number, number], before: number, now: number) => zoom(now / before, origin),
    signal,
  })
  signal.addEventListener('abort', () => touches.destroy(), { once: true })
  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const delta = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * MOST_DELTA
      zoom(Math.exp(-Math.max(-MOST_DELTA, Math.min(MOST_DELTA, delta)) / 100), [event.clientX, event.clientY])
    },
    { passive: false, signal },
  )
}
