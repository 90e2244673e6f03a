import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches now; renders again when that changes. */
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

/** A phone: 736 px or less. */
export function usePhone(): boolean {
  return useMedia('(width <= 736px)')
}

/** Between phone and desktop: the rail shows icons only. */
export function useTablet(): boolean {
  return useMedia('(736px < width < 1024px)')
}
