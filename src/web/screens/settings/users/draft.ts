import type { Settings } from '../../../../shared/contract/settings.ts'
import type { Permissions, User } from '../../../../shared/contract/users.ts'
import { type FilePath, joinPath, ROOT } from '../../../../shared/file-path.ts'
import { homeName } from '../../../../shared/home-name.ts'
import { cleanScope } from '../../../../shared/scope.ts'
import { withRight } from '../../../widgets/permissions.ts'

/** Where a new person’s files lie: a folder made for them, all that is served, or one that somebody chose. */
export type Reach = 'home' | 'whole' | 'other'

/** A person as the form holds one: the commands are one line until they are saved. */
export interface UserDraft extends Omit<User, 'commands'> {
  commands: string
  /** Of a new person; who is there already has a scope. */
  reach?: Reach
}

export function draftOf({ commands, ...user }: User): UserDraft {
  return { ...user, commands: commands.join(' ') }
}

/** What the draft would save. Commands are split on spaces; empty becomes an empty list. */
export function userOf(draft: UserDraft): User {
  const user = { ...draft }
  delete user.reach
  return { ...user, commands: draft.commands.split(/\s+/).filter((command) => command !== '') }
}

/** A new person, from the defaults. Nobody is proposed everything: where the defaults say so, a folder of their own is proposed instead. */
export function newDraft(settings: Settings): UserDraft {
  const { defaults, createUserDir } = settings
  const { commands, ...rest } = defaults
  // Administration brings every right, even where the defaults were written without.
  const perm = withRight(defaults.perm, 'admin', defaults.perm.admin)
  const reach = createUserDir || cleanScope(defaults.scope) === ROOT ? 'home' : 'other'
  return {
    ...rest,
    id: 0,
    username: '',
    password: '',
    scope: reach === 'other' ? defaults.scope : '',
    perm,
    lockPassword: false,
    rules: [],
    disabled: false,
    commands: commands.join(' '),
    reach,
  }
}

/** The folder that a new person would have to themselves; null for a name that makes none. */
export function homeOf(username: string, { userHomeBasePath }: Settings): FilePath | null {
  const name = homeName(username)
  return name === null ? null : joinPath(cleanScope(userHomeBasePath), name)
}

/**
 * The scope that a new person is sent with; null for a name that makes no folder. Where everybody gets a home the server makes it, and takes an
 * empty scope or the default one for that: who is to have all that is served says so in another way.
 */
export function scopeOf({ reach, username, scope }: UserDraft, settings: Settings): string | null {
  if (reach === 'whole') return settings.defaults.scope.trim() === '/' ? '.' : '/'
  if (reach !== 'home') return scope
  const home = homeOf(username, settings)
  return settings.createUserDir && home !== null ? '' : home
}

/** Administrators have a password of their own: making one clears the lock. */
export function withPermissions(draft: UserDraft, perm: Permissions): UserDraft {
  return { ...draft, perm, lockPassword: draft.lockPassword && !perm.admin }
}
