import { type RefObject, useEffect, useState } from 'react'
import { DOUBLE_TAP_MS, PREVIEW_DEBOUNCE_MS, PREVIEW_HIDE_MS } from '../../shared/limits.ts'

/** What answers a tap itself, so that it neither hides nor brings back the controls. */
const ANSWERS = '[data-controls], [data-keeps-controls], a, button, input, video, audio, iframe'

/**
 * Whether the controls may hide: 1.5 s after the last movement of the mouse, never while one of them has the focus by keyboard or the pointer
 *. On a touch screen a tap hides them or brings them back.
 * @param watch where movements count; keys count everywhere
 * @param hides false where they stand in nobody's way
 */
export function useIdle(watch: RefObject<HTMLElement | null>, { hides }: { hides: boolean }): boolean {
  const [idle, setIdle] = useState(false)
  // Synchronises with the pointer and the keyboard.
  useEffect(() => {
    const element = watch.current
    if (element === null) return
    const control = new AbortController()
    const { signal } = control
    let movedAt = performance.now()
    let timer = setTimeout(look, PREVIEW_HIDE_MS)
    let tap: { timer: ReturnType<typeof setTimeout>; at: number } | null = null
    let down = { x: 0, y: 0 }
    let hidden = false

    function hide(now: boolean): void {
      hidden = now
      setIdle(now)
    }
    // Looks now and then instead of starting a timer for each of a thousand movements.
    function look(): void {
      const busy = element?.querySelector('[data-keeps-controls], [data-controls]:hover, [data-controls] :focus-visible') ?? null
      if (busy === null && performance.now() - movedAt >= PREVIEW_HIDE_MS) hide(true)
      else timer = setTimeout(look, PREVIEW_DEBOUNCE_MS)
    }
    function moved(): void {
      movedAt = performance.now()
      hide(false)
      clearTimeout(timer)
      timer = setTimeout(look, PREVIEW_HIDE_MS)
    }
    function mouse(event: PointerEvent): void {
      if (event.pointerType === 'touch') return
      if (hidden) moved()
      else movedAt = performance.now()
    }
    function lifted(event: PointerEvent): void {
      const still = Math.hypot(event.clientX - down.x, event.clientY - down.y) < 10
      if (event.pointerType !== 'touch' || !still) return
      if (event.target instanceof Element && event.target.closest(ANSWERS) !== null) return moved()
      if (tap !== null && event.timeStamp - tap.at < DOUBLE_TAP_MS) {
        // The second of a double tap zooms and does no more.
        clearTimeout(tap.timer)
        tap = null
        return
      }
      clearTimeout(timer)
      tap = { at: event.timeStamp, timer: setTimeout(() => hide(!hidden), DOUBLE_TAP_MS) }
    }
    element.addEventListener('pointermove', mouse, { signal })
    element.addEventListener('pointerdown', (event) => (mouse(event), (down = { x: event.clientX, y: event.clientY })), { signal })
    element.addEventListener('pointerup', lifted, { signal })
    element.addEventListener('focusin', moved, { signal })
    addEventListener('keydown', moved, { signal })
    return () => {
      control.abort()
      clearTimeout(timer)
      if (tap !== null) clearTimeout(tap.timer)
    }
  }, [watch])
  return idle && hides
}
