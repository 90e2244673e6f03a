import { useEffect, useState } from 'react'
import { PREVIEW_HIDE_MS } from '../../shared/limits.ts'

/**
 * Whether the controls may hide: 1.5 s after the last movement, never while one of them has the focus or the pointer (specification §9).
 * @param watch where movements count; keys count everywhere
 * @param hides false where they stand in nobody's way
 */
export function useIdle(watch: { current: HTMLElement | null }, { hides }: { hides: boolean }): boolean {
  const [idle, setIdle] = useState(false)
  // Talks to the pointer and the keyboard.
  useEffect(() => {
    const element = watch.current
    if (element === null) return
    let timer = setTimeout(hide, PREVIEW_HIDE_MS)
    function hide(): void {
      const busy = element?.querySelector('[data-controls]:is(:hover, :focus-within), [data-controls] :focus-visible') ?? null
      if (busy === null) setIdle(true)
      else timer = setTimeout(hide, PREVIEW_HIDE_MS)
    }
    function moved(): void {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(hide, PREVIEW_HIDE_MS)
    }
    const events = ['pointermove', 'pointerdown', 'focusin'] as const
    for (const name of events) element.addEventListener(name, moved)
    addEventListener('keydown', moved)
    return () => {
      clearTimeout(timer)
      for (const name of events) element.removeEventListener(name, moved)
      removeEventListener('keydown', moved)
    }
  }, [watch])
  return idle && hides
}
