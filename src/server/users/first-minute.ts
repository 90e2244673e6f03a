import type { FirstMinute } from '../../shared/contract/users.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './account.ts'
import { isFactorRequired } from './second-factor.ts'

/**
 * What an account has yet to do or to be offered; nothing if people do not sign in with our own passwords.
 * @param isAdmin by itself or by a group
 */
export function firstMinuteOf(account: Account, isAdmin: boolean, settings: Settings): FirstMinute {
  const { authMethod, printedPassword, welcome } = settings
  if (authMethod !== 'json') return mustSetUp(account, isAdmin, settings)
  return {
    ...mustSetUp(account, isAdmin, settings),
    ...(printedPassword !== '' && printedPassword === hashOf(account.passwordHash) && { mustChangePassword: true }),
    ...(welcome?.userId === account.id && welcome.steps.length > 0 && { welcome: welcome.steps }),
  }
}

function mustSetUp(account: Account, isAdmin: boolean, settings: Settings): FirstMinute {
  return !account.secondFactor && isFactorRequired(account, isAdmin, settings) ? { mustSetUpFactor: true } : {}
}

/** Whether there is only the administrator of the first start, with the printed password, which opens nothing: nobody has used this installation. */
export function isUnused(accounts: readonly Account[], settings: Settings): boolean {
  const [first] = accounts
  return accounts.length === 1 && first !== undefined && firstMinuteOf(first, first.perm.admin, settings).mustChangePassword === true
}
