import { type RefObject, useLayoutEffect, useState } from 'react'

/** The visible part of a scroll container, in pixels from its inline start and top. */
export interface ScrollView {
  readonly top: number
  readonly start: number
  readonly height: number
  readonly width: number
}

const UNSEEN: ScrollView = { top: 0, start: 0, height: 0, width: 0 }

/** Follows scroll position and size of a container, for virtualisation. */
export function useScrollView(frame: RefObject<HTMLElement | null>): ScrollView {
  const [view, setView] = useState(UNSEEN)
  // Synchronises with the browser's layout.
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const look = () =>
      setView({ top: element.scrollTop, start: Math.abs(element.scrollLeft), height: element.clientHeight, width: element.clientWidth })
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [frame])
  return view
}
