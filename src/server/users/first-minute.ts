import type { FirstMinute } from '../../shared/contract/users.ts'
import { hashOf } from '../db/secret.ts'
import type { Settings } from '../settings/settings.ts'
import type { Account } from './account.ts'

/** What an account has yet to do or to be offered; nothing if people do not sign in with our own passwords. */
export function firstMinuteOf(account: Account, { authMethod, printedPassword, welcome }: Settings): FirstMinute {
  if (authMethod !== 'json') return {}
  return {
    ...(printedPassword !== '' && printedPassword === hashOf(account.passwordHash) && { mustChangePassword: true }),
    ...(welcome?.userId === account.id && welcome.steps.length > 0 && { welcome: welcome.steps }),
  }
}
