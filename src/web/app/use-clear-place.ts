import { type RefObject, useLayoutEffect } from 'react'
import type { placeNotices } from './notice-place.ts'

const ACTIONS = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=slider], [role=menuitem]'
/** The page may change below a notice; twice a second is often enough to step aside. */
const LOOK_AGAIN_MS = 500

/** Keeps the notices where they cover nothing that can be pressed, for as long as there are any. */
export function useClearPlace(corner: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  // Measures the page, which only the browser knows.
  useLayoutEffect(() => {
    const element = corner.current
    if (element === null || shown.length === 0) return
    let calculate: typeof placeNotices | null = null
    const place = () => {
      if (calculate === null) return
      // Nothing moves away from the pointer or the keyboard.
      if (element.matches(':hover, :focus-within')) return
      element.style.transform = ''
      const { dx, dy } = calculate({
        home: element.getBoundingClientRect(),
        window: { width: innerWidth, height: innerHeight },
        actions: actionsBeside(element),
      })
      element.style.transform = dx === 0 && dy === 0 ? '' : `translate(${dx}px, ${-dy}px)`
    }
    // Nobody needs it before the first notice. Where it does not arrive, notices stay in their corner.
    const load = async (): Promise<void> => {
      calculate = (await import('./notice-place.ts')).placeNotices
      place()
    }
    void load().catch(() => undefined)
    const timer = setInterval(place, LOOK_AGAIN_MS)
    addEventListener('resize', place)
    return () => {
      clearInterval(timer)
      removeEventListener('resize', place)
    }
  }, [corner, shown])
}

/** Where a dialog is open, only what is in it; the rows of a listing scroll clear of everything. */
function actionsBeside(notices: HTMLElement): DOMRect[] {
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog], dialog[open]')]
  const within = dialogs.at(-1) ?? document.body
  return [...within.querySelectorAll(ACTIONS)]
    .filter(
      (action) =>
        !notices.contains(action) && action.closest('[data-item]') === null && action.checkVisibility({ visibilityProperty: true }),
    )
    .map((action) => action.getBoundingClientRect())
    .filter(({ width, height }) => width > 1 && height > 1)
}
