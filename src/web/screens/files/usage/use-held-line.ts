import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** Where a line that had the focus goes, the one in its place gets it. Give the box of the lines what it returns. */
export function useHeldLine<Box extends HTMLElement>(): { ref: RefObject<Box | null>; onFocus: (event: FocusEvent) => void } {
  const ref = useRef<Box>(null)
  const held = useRef<number | null>(null)
  // Talks to the document, whenever there may be other lines than before.
  useEffect(() => {
    if (held.current === null || document.activeElement !== document.body) return
    const lines = linesOf(ref.current)
    const place = lines[Math.min(held.current, lines.length - 1)]?.querySelector('a') ?? ref.current?.closest<HTMLElement>('[role=dialog]')
    place?.focus()
  })
  return {
    ref,
    onFocus({ target }) {
      held.current = linesOf(ref.current).findIndex((line) => line.contains(target))
    },
  }
}

function linesOf(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll('li') ?? [])]
}
