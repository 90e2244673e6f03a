import type { Gesture, GestureItem } from '../../../../shared/contract/operations.ts'
import type { User } from '../../../../shared/contract/users.ts'
import { NONE } from '../../../widgets/test-permissions.ts'

/** For tests: what the server says about a change. */
export function item(kind: GestureItem['kind'], path: string | null, more: Partial<GestureItem> = {}): GestureItem {
  return { kind, path, origin: null, isDir: false, size: 10, state: 'done', ...more }
}

/** For tests: what the server says about a gesture of ann; `at` is a time of 21 November 2026. */
export function gesture(n: number, at: string, items: GestureItem[], more: Partial<Gesture> = {}): Gesture {
  const known = { group: `00000000-0000-7000-8000-00000000000${n}`, at: `2026-11-21T${at}:00.000Z`, by: 'ann', via: 'web' as const }
  return { ...known, mine: true, reverts: null, redo: false, undoable: true, total: items.length, items, ...more }
}

export const ANN: User = {
  id: 1,
  username: 'ann',
  password: '',
  scope: '',
  locale: '',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  perm: NONE,
  commands: [],
  sorting: { by: 'name', asc: true },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
  disabled: false,
}
