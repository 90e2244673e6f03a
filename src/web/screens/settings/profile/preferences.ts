import type { OwnFields } from '../../../../shared/contract/users.ts'

/** What the preferences card shows and saves. */
export type Preferences = Required<Pick<OwnFields, 'hideDotfiles' | 'singleClick' | 'redirectAfterCopyMove' | 'locale'>>

/** The choices that differ from what is saved; a choice taken back is none. */
export function changesTo(saved: Preferences, draft: Partial<Preferences>): Partial<Preferences> {
  const names = ['hideDotfiles', 'singleClick', 'redirectAfterCopyMove', 'locale'] as const
  return Object.fromEntries(
    names.filter((name) => draft[name] !== undefined && draft[name] !== saved[name]).map((name) => [name, draft[name]]),
  )
}
