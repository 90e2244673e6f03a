import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { usePageEvent } from '../../ui/use-page-event.ts'

const STORAGE_KEY = 'shell-height'
const LOWEST = 140
const STEP = 24
/** Share of the window's height, so that the screen above stays visible. */
const HIGHEST_SHARE = 0.75
/** Default, as in File Browser (25 em). */
const USUAL = 320

/** Height of the panel in pixels, stored in this browser, and the handlers of its separator (WAI-ARIA window splitter). */
export function usePanelHeight(panel: RefObject<HTMLElement | null>) {
  const [wanted, setWanted] = useState(() => Number(localStorage.getItem(STORAGE_KEY)) || USUAL)
  const [highest, setHighest] = useState(highestNow)
  // Offset of the pointer from the panel's top edge while dragging.
  const grip = useRef(0)
  const height = Math.max(LOWEST, Math.min(wanted, highest))

  usePageEvent('resize', () => setHighest(highestNow()))

  const choose = (next: number) => {
    const chosen = Math.round(Math.max(LOWEST, Math.min(next, highest)))
    localStorage.setItem(STORAGE_KEY, String(chosen))
    setWanted(chosen)
  }
  const steps: Record<string, number> = { ArrowUp: height + STEP, ArrowDown: height - STEP, Home: highest, End: LOWEST }
  return {
    height,
    separator: {
      'aria-valuenow': height,
      'aria-valuemin': LOWEST,
      'aria-valuemax': highest,
      onKeyDown(event: KeyboardEvent) {
        const next = steps[event.key]
        if (next === undefined) return
        event.preventDefault()
        choose(next)
      },
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        grip.current = event.clientY - (panel.current?.getBoundingClientRect().top ?? event.clientY)
      },
      onPointerMove(event: PointerEvent) {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const bottom = panel.current?.getBoundingClientRect().bottom ?? innerHeight
        choose(bottom - event.clientY + grip.current)
      },
      onDoubleClick: () => choose(USUAL),
    },
  }
}

function highestNow(): number {
  return Math.max(LOWEST, Math.round(innerHeight * HIGHEST_SHARE))
}
