import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** When the focused row disappears, focuses the next one or, if there is none, the surrounding dialog or page. Spread the result onto the list. */
export function useKeepFocus<Box extends HTMLElement>(): { ref: RefObject<Box | null>; onFocus: (event: FocusEvent) => void } {
  const ref = useRef<Box>(null)
  const lastFocus = useRef<{ at: number; what: Element } | null>(null)
  // Runs whenever rows may have changed.
  useEffect(() => {
    if (lastFocus.current === null || lastFocus.current.what.isConnected || document.activeElement !== document.body) return
    const { at } = lastFocus.current
    lastFocus.current = null
    const lines = linesOf(ref.current)
    const near = [...lines.slice(at), ...lines.slice(0, at).reverse()]
    const place = near.map((line) => line.querySelector<HTMLElement>('a') ?? line.querySelector('button')).find((one) => one !== null)
    ;(place ?? ref.current?.closest<HTMLElement>('[role=dialog], main'))?.focus()
  })
  return {
    ref,
    onFocus({ target }) {
      // Elements above the rows are followed by the first row.
      lastFocus.current = {
        at: Math.max(
          0,
          linesOf(ref.current).findIndex((line) => line.contains(target)),
        ),
        what: target,
      }
    },
  }
}

function linesOf(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll('li') ?? [])]
}
