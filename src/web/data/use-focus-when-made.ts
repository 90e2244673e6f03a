import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from '../router/router.tsx'

/** State of the entry of a page about what has just been made. */
export const MADE = { made: true }

/**
 * For the heading of a page about one person or group: when it has just been made, it takes the focus, because the button that had it is gone. Not after
 * a reload or Back.
 */
export function useFocusWhenMade(): { ref: RefObject<HTMLHeadingElement | null>; tabIndex: -1 } {
  const ref = useRef<HTMLHeadingElement>(null)
  const { state, navigationType } = useLocation()
  const isMade = navigationType !== 'pop' && typeof state === 'object' && state !== null && 'made' in state
  // Moves the browser's focus.
  useEffect(() => {
    if (isMade) ref.current?.focus()
  }, [isMade])
  return { ref, tabIndex: -1 }
}
