import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath } from '../../shared/file-path.ts'
import { homeName } from '../../shared/home-name.ts'
import type { Settings } from '../settings/settings.ts'
import { cleanScope } from '../../shared/scope.ts'

/** Where somebody's files lie. */
export interface Home {
  readonly scope: FilePath
  /** Made from their name, so it may be nobody else's. */
  readonly own: boolean
}

/**
 * The home of a new account: the scope that was asked for, or, where every account gets a home and none was chosen, the
 * folder of its name. What the form proposes (the default scope) is no choice. Fails with `invalid-input` where the name makes no folder.
 */
export function homeFor(username: string, asked: string, { createUserDir, defaults, userHomeBasePath }: Settings): Home {
  const wanted = asked.trim()
  const chosen = wanted !== '' && wanted !== defaults.scope.trim()
  if (chosen || !createUserDir) return { scope: cleanScope(wanted === '' ? defaults.scope : wanted), own: false }
  const scope = ownHome(username, userHomeBasePath)
  return { scope: scope ?? fail('invalid-input', { issues: ['data.scope: this name makes no folder, so one must be given'] }), own: true }
}

/** The folder of a name among all homes; null where the name makes none. */
export function ownHome(username: string, userHomeBasePath: string): FilePath | null {
  const name = homeName(username)
  return name === null ? null : joinPath(cleanScope(userHomeBasePath), name)
}
