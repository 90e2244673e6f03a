import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** Where a line goes with what had the focus, the next one gets it, or else the dialog or the page around. Give the box of the lines what it returns. */
export function useKeepFocus<Box extends HTMLElement>(): { ref: RefObject<Box | null>; onFocus: (event: FocusEvent) => void } {
  const ref = useRef<Box>(null)
  const lastFocus = useRef<{ at: number; what: Element } | null>(null)
  // Synchronises with the document, whenever there may be other lines than before.
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
      // What stands above the lines has the first of them next to it.
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
