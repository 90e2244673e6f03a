import type { QueryClient } from '@tanstack/react-query'
import type { OwnFields } from '../../shared/contract/users.ts'
import { saveProfile } from './session.ts'

/** Saves preferences of one's own. Listings that were read under the old ones may show the wrong names and are forgotten. */
export async function savePreferences(queries: QueryClient, preferences: OwnFields): Promise<void> {
  await saveProfile(preferences)
  queries.removeQueries({ queryKey: ['folder'] })
}
