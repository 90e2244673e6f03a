import { fail, isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'

export interface SetAdminOptions {
  readonly users: Pick<Users, 'find' | 'change'>
  readonly bus: Bus
  readonly log: (line: string) => void
}

/** Others may be writing the same record. */
const ATTEMPTS = 5

/**
 * Gives or takes administration because a provider or a directory says so, or says nothing any more. Fails with `busy` if others keep writing the
 * record: what was not written must not be taken for done.
 * @returns the account as it is then; null if it stays an administrator because no other would be left, or is gone
 */
export async function setAdmin({ users, bus, log }: SetAdminOptions, first: Account, admin: boolean): Promise<Account | null> {
  let account: Account | null = first
  for (let attempt = 0; attempt < ATTEMPTS && account !== null; attempt += 1) {
    try {
      if (await users.change(account, { fields: { perm: { ...account.perm, admin } }, password: null, keep: null })) {
        const details = [{ place: 'perm.admin', before: String(!admin), after: String(admin) }]
        bus.announce('noted', { kind: 'user-changed', by: null, address: null, subject: account.username, details })
        return users.find(account.id)
      }
    } catch (error) {
      if (!isAppError(error, 'forbidden')) throw error
      log(`sign-in provider: ${account.username} stays an administrator, because no other would be left`)
      return null
    }
    account = await users.find(account.id)
  }
  return account === null ? null : fail('busy', {})
}
