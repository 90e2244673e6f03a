import { fail, isAppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import type { Bus } from '../bus/bus.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { cleanScope } from '../../shared/scope.ts'
import type { Account, Editable } from './account.ts'
import { ownHome } from './home.ts'
import type { Secret, Users } from './users.ts'

/** An account that is created without an administrator. */
export interface Registration {
  readonly username: string
  readonly password: Secret
  readonly lockPassword: boolean
  /** Fields from an authority that the operator chose; they override the defaults, including administration and commands. */
  readonly granted?: Granted
  /** The home must not exist yet: an unverified visitor must not get files that somebody left behind. */
  readonly emptyHome: boolean
  /** The client's, if known. */
  readonly address?: string | null
}

export type Granted = Partial<
  Pick<
    Editable,
    'scope' | 'locale' | 'viewMode' | 'singleClick' | 'redirectAfterCopyMove' | 'sorting' | 'hideDotfiles' | 'perm' | 'commands'
  >
>

export interface Homes {
  isThere(path: FilePath): Promise<boolean>
  /** With its parents; an existing folder is fine. */
  make(path: FilePath): Promise<void>
}

export type Provisioning = ReturnType<typeof createProvisioning>

/** The only way in which accounts are created automatically: signup, proxy, hook (invariant I9). */
export function createProvisioning({ users, bus, settings, homes }: { users: Users; bus: Bus; settings: SettingsReader; homes: Homes }) {
  return {
    /**
     * Creates the account and its home, or neither. Fails with `name-taken` if the name or the home exists, in whatever spelling, and with
     * `invalid-input` for an invalid name.
     */
    async provision({ username, password, lockPassword, granted = {}, emptyHome, address = null }: Registration): Promise<Account> {
      const { defaults, userHomeBasePath } = await settings.read()
      const own = granted.scope === undefined
      const scope = own ? ownHome(username, userHomeBasePath) : cleanScope(granted.scope ?? '')
      if (scope === null) fail('invalid-input', { issues: ['username: makes no folder'] })
      if (emptyHome && (await homes.isThere(scope))) fail('name-taken', { username })
      const account = await users.create(
        {
          locale: defaults.locale,
          viewMode: defaults.viewMode,
          singleClick: defaults.singleClick,
          redirectAfterCopyMove: defaults.redirectAfterCopyMove,
          sorting: defaults.sorting,
          hideDotfiles: defaults.hideDotfiles,
          dateFormat: defaults.dateFormat,
          aceEditorTheme: defaults.aceEditorTheme,
          // Whatever the defaults say (GHSA-5gg9-5g7w-hm73, GHSA-x8jc-jvqm-pm3f, GHSA-7526-j432-6ppp).
          perm: { ...defaults.perm, admin: false, execute: false },
          commands: [],
          rules: [],
          ...granted,
          username,
          password,
          lockPassword,
          scope,
        },
        { ownScope: own },
      )
      try {
        await homes.make(scope)
      } catch (error) {
        await users.remove(account.id)
        // A node that is not a folder, or an invalid path.
        if (isAppError(error, 'not-found') || isAppError(error, 'already-exists')) fail('name-taken', { username }, { cause: error })
        throw error
      }
      bus.announce('noted', { kind: 'sign-up', by: { id: account.id, name: account.username }, address, subject: account.username })
      return account
    },
  }
}
