import type { QueryClient } from '@tanstack/react-query'
import type { OwnFields } from '../../shared/contract/users.ts'
import { saveProfile } from './session.ts'

/** Saves the user's preferences and removes listings that were read with the old ones. */
export async function savePreferences(queries: QueryClient, preferences: OwnFields): Promise<void> {
  await saveProfile(preferences)
  queries.removeQueries({ queryKey: ['folder'] })
}
