import { type RefObject, useLayoutEffect } from 'react'

/** Keeps notices from covering controls while any are shown. */
export function useAvoidControls(corner: RefObject<HTMLElement | null>, shown: readonly unknown[]): void {
  // Measures the page, which only the browser knows.
  useLayoutEffect(() => {
    const element = corner.current
    if (element === null || shown.length === 0) return
    let isOver = false
    let end: (() => void) | null = null
    // Loaded for the first notice. If that fails, notices stay in their corner.
    const load = async (): Promise<void> => {
      const { avoidControls } = await import('./avoid-controls.ts')
      if (!isOver) end = avoidControls(element)
    }
    void load().catch(() => undefined)
    return () => {
      isOver = true
      end?.()
    }
  }, [corner, shown])
}
