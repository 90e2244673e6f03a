import type { Settings } from '../../../../shared/contract/settings.ts'
import type { Permissions, User } from '../../../../shared/contract/users.ts'
import { withRight } from '../../../widgets/permissions.ts'

/** A person as the form holds one: the commands are one line until they are saved. */
export interface UserDraft extends Omit<User, 'commands'> {
  commands: string
}

export function draftOf({ commands, ...user }: User): UserDraft {
  return { ...user, commands: commands.join(' ') }
}

/** What the draft would save. Commands are split on spaces; empty becomes an empty list (spec §5). */
export function userOf({ commands, ...draft }: UserDraft): User {
  return { ...draft, commands: commands.split(/\s+/).filter((command) => command !== '') }
}

/** A new person, from the defaults. Where everybody gets a home, the folder is left to the server until somebody chooses one. */
export function newDraft({ defaults, createUserDir }: Settings): UserDraft {
  const { commands, ...rest } = defaults
  // Administration brings every right, even where the defaults were written without.
  const perm = withRight(defaults.perm, 'admin', defaults.perm.admin)
  const scope = createUserDir ? '' : defaults.scope
  return {
    ...rest,
    id: 0,
    username: '',
    password: '',
    scope,
    perm,
    lockPassword: false,
    rules: [],
    disabled: false,
    commands: commands.join(' '),
  }
}

/** Administrators have a password of their own: making one clears the lock (spec §4). */
export function withPermissions(draft: UserDraft, perm: Permissions): UserDraft {
  return { ...draft, perm, lockPassword: draft.lockPassword && !perm.admin }
}
