import { type RefObject, useEffect, useState } from 'react'
import { DOUBLE_TAP_MS, PREVIEW_DEBOUNCE_MS, PREVIEW_HIDE_MS } from '../../shared/limits.ts'

/** Elements that handle taps themselves: tapping them neither hides nor shows the controls. */
const ANSWERS = '[data-controls], [data-keeps-controls], a, button, input, video, audio, iframe'

/**
 * Whether to hide the controls: 1.5 s after the last mouse movement, unless one of them has keyboard focus or is hovered. On touch screens a tap
 * toggles them.
 * @param watch element whose pointer movements count; keys count everywhere
 * @param hides false if controls never hide
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
    // Polls instead of restarting a timer on every movement.
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
        // A double tap only zooms.
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
