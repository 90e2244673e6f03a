import { type QueryClient, queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type Settings, settings } from '../../shared/contract/settings.ts'
import { clashesOf, mergeChanges } from '../../shared/changes.ts'
import { clientFor } from './client.ts'
import { withReauthentication } from './reauthenticate.ts'

const client = clientFor({ settings })

export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings'] as const,
    queryFn: ({ signal }) => client.settings.get({}, { signal }),
  })
}

/** Server settings. Errors go to the error boundary. */
export function useSettings(): Settings {
  return useSuspenseQuery(settingsQuery()).data
}

export interface SettingsEdit {
  /** As they were when editing started. */
  readonly base: Settings
  readonly mine: Settings
  /** Asks whether to overwrite fields that someone else has changed meanwhile. */
  readonly mayReplace: (places: readonly string[]) => Promise<boolean>
}

/**
 * The API takes the settings as a whole, without a version. They are read again right before writing and only the changed fields are replaced, so
 * that changes of other tabs are kept.
 * @returns the saved settings; null if the user cancelled
 */
async function saveSettings(queries: QueryClient, { base, mine, mayReplace }: SettingsEdit): Promise<Settings | null> {
  const theirs = await queries.fetchQuery({ ...settingsQuery(), staleTime: 0 })
  const clashes = clashesOf(base, mine, theirs)
  if (clashes.length > 0 && !(await mayReplace(clashes))) return null
  const body = mergeChanges(base, mine, theirs)
  const saved = await withReauthentication((proof) => client.settings.update({ body: { ...body, ...proof } }))
  return saved === null ? null : queries.fetchQuery({ ...settingsQuery(), staleTime: 0 })
}

export function useSaveSettings() {
  const queries = useQueryClient()
  return useMutation({ meta: { shows: ['invalid-input'] }, mutationFn: (edit: SettingsEdit) => saveSettings(queries, edit) })
}
