import { useEffect } from 'react'
import { create } from 'zustand'

export const useTitleOfPlace = create<{ place: string | null }>(() => ({ place: null }))

/** Puts the name of the folder or file on show before the title of the route: `Photos - Files`. */
export function useTitle(place: string | null): void {
  // Talks to the frame, which writes the document's title.
  useEffect(() => {
    useTitleOfPlace.setState({ place })
    return () => useTitleOfPlace.setState({ place: null })
  }, [place])
}
