import type { OwnFields } from '../../../../shared/contract/users.ts'

/** Fields of the preferences card. */
export type Preferences = Required<Pick<OwnFields, 'hideDotfiles' | 'singleClick' | 'redirectAfterCopyMove' | 'locale'>>

/** Fields that differ from the saved ones. */
export function changesTo(saved: Preferences, draft: Partial<Preferences>): Partial<Preferences> {
  const names = ['hideDotfiles', 'singleClick', 'redirectAfterCopyMove', 'locale'] as const
  return Object.fromEntries(
    names.filter((name) => draft[name] !== undefined && draft[name] !== saved[name]).map((name) => [name, draft[name]]),
  )
}
