import type { Settings } from '../../shared/contract/settings.ts'
import type { Permissions, User } from '../../shared/contract/users.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import { homeName } from '../../shared/home-name.ts'
import { cleanScope } from '../../shared/scope.ts'
import { withRight } from './permissions.ts'

/** Scope of a new user: a home folder created for them, everything, or a chosen folder. */
export type ScopeKind = 'home' | 'whole' | 'other'

/** A user as form values; commands are one line until saved. */
export interface UserDraft extends Omit<User, 'commands'> {
  commands: string
  /** For new users; existing ones have a scope. */
  scopeKind?: ScopeKind
}

export function draftOf({ commands, ...user }: User): UserDraft {
  return { ...user, commands: commands.join(' ') }
}

/** The record to save. Commands are split at spaces; empty becomes an empty list. */
export function userOf(draft: UserDraft): User {
  const user = { ...draft }
  delete user.scopeKind
  return { ...user, commands: draft.commands.split(/\s+/).filter((command) => command !== '') }
}

/** A new user from the defaults. If the default scope is everything, a home folder is proposed instead. */
export function newDraft(settings: Settings): UserDraft {
  const { defaults, createUserDir } = settings
  const { commands, ...rest } = defaults
  // Administrators have every permission, even if the defaults do not list them.
  const perm = withRight(defaults.perm, 'admin', defaults.perm.admin)
  const scopeKind = createUserDir || cleanScope(defaults.scope) === ROOT ? 'home' : 'other'
  return {
    ...rest,
    id: 0,
    username: '',
    password: '',
    scope: scopeKind === 'other' ? defaults.scope : '',
    perm,
    lockPassword: false,
    rules: [],
    disabled: false,
    commands: commands.join(' '),
    scopeKind,
  }
}

/** Home folder of a new user; null for an invalid name. */
export function homeOf(username: string, { userHomeBasePath }: Settings): FilePath | null {
  const name = homeName(username)
  return name === null ? null : joinPath(cleanScope(userHomeBasePath), name)
}

/**
 * The scope sent for a new user; null for an invalid name. If the server creates home folders, it treats an empty or the default scope as a request
 * for one, so "everything" is expressed differently.
 */
export function scopeOf({ scopeKind, username, scope }: UserDraft, settings: Settings): string | null {
  if (scopeKind === 'whole') return settings.defaults.scope.trim() === '/' ? '.' : '/'
  if (scopeKind !== 'home') return scope
  const home = homeOf(username, settings)
  return settings.createUserDir && home !== null ? '' : home
}

/** Administrators can change their own password, so the lock is cleared. */
export function withPermissions(draft: UserDraft, perm: Permissions): UserDraft {
  return { ...draft, perm, lockPassword: draft.lockPassword && !perm.admin }
}
