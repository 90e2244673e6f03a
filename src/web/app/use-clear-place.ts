import { type RefObject, useLayoutEffect } from 'react'

/** Keeps the notices where they cover nothing that can be pressed, for as long as there are any. */
export function useClearPlace(corner: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  // Measures the page, which only the browser knows.
  useLayoutEffect(() => {
    const element = corner.current
    if (element === null || shown.length === 0) return
    let isOver = false
    let end: (() => void) | null = null
    // Nobody needs it before the first notice. Where it does not arrive, notices stay in their corner.
    const load = async (): Promise<void> => {
      const { keepClear } = await import('./keep-clear.ts')
      if (!isOver) end = keepClear(element)
    }
    void load().catch(() => undefined)
    return () => {
      isOver = true
      end?.()
    }
  }, [corner, shown])
}
