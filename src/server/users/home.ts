import { fail } from '../../shared/errors.ts'
import { type FilePath, joinPath, ROOT } from '../../shared/file-path.ts'
import { homeName } from '../../shared/home-name.ts'
import type { Settings } from '../settings/settings.ts'
import { cleanScope } from '../../shared/scope.ts'

export interface Home {
  readonly scope: FilePath
  /** Derived from the name, so it must be unique. */
  readonly own: boolean
}

/**
 * The home of a new account: the requested scope, or, if every account gets a home and none was requested, a folder named after the user. The form's
 * default scope does not count as a request. Fails with `invalid-input` if no folder can have that name.
 */
export function homeFor(username: string, asked: string, { createUserDir, defaults, userHomeBasePath }: Settings): Home {
  const wanted = asked.trim()
  const chosen = wanted !== '' && wanted !== defaults.scope.trim()
  if (chosen || !createUserDir) return { scope: cleanScope(wanted === '' ? defaults.scope : wanted), own: false }
  const scope = ownHome(username, userHomeBasePath)
  return { scope: scope ?? fail('invalid-input', { issues: ['data.scope: this name makes no folder, so one must be given'] }), own: true }
}

/**
 * The home of an account of a list, as the form of a new user proposes it: if nothing was requested and the default scope is everything, a folder
 * named after the user. Fails as `homeFor` does.
 */
export function proposedHome(username: string, asked: string, settings: Settings): Home {
  if (asked.trim() !== '') return { scope: cleanScope(asked), own: false }
  const createUserDir = settings.createUserDir || cleanScope(settings.defaults.scope) === ROOT
  return homeFor(username, '', { ...settings, createUserDir })
}

/** The folder of a name among all homes; null if no folder can have that name. */
export function ownHome(username: string, userHomeBasePath: string): FilePath | null {
  const name = homeName(username)
  return name === null ? null : joinPath(cleanScope(userHomeBasePath), name)
}
