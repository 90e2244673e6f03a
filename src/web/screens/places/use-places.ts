import { useQuery } from '@tanstack/react-query'
import { favouritesQuery } from '../../data/favourites.ts'

/** Always refetches on mount. */
export function useFavouritesQuery() {
  return useQuery({ ...favouritesQuery(), staleTime: 0 })
}
