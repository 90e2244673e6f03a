import { useQuery } from '@tanstack/react-query'
import { favouritesQuery } from '../../data/favourites.ts'

/** As they are now: a screen that shows nothing else asks anew. */
export function usePlaces() {
  return useQuery({ ...favouritesQuery(), staleTime: 0 })
}
