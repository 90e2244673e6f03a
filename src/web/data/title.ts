import { useEffect } from 'react'
import { create } from 'zustand'

export const useTitleOfPlace = create<{ place: string | null }>(() => ({ place: null }))

/** Sets the name of the current folder or file in the document title: `Photos - Files`. */
export function useTitle(place: string | null): void {
  // Synchronises with the frame, which writes the document's title.
  useEffect(() => {
    useTitleOfPlace.setState({ place })
    return () => useTitleOfPlace.setState({ place: null })
  }, [place])
}
