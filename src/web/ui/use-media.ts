import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Phone layout: 736 px or less. */
export function usePhone(): boolean {
  return useMedia('(width <= 736px)')
}

/** Tablet layout: the sidebar shows icons only. */
export function useTablet(): boolean {
  return useMedia('(736px < width < 1024px)')
}
