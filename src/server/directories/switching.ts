import { fail, isAppError } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { AccountLinks, Person } from '../providers/account-links.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'

export interface SwitchingOptions {
  readonly links: AccountLinks
  readonly users: Pick<Users, 'find' | 'change' | 'endSessions'>
  readonly bus: Bus
  readonly log: (line: string) => void
}

export type Switching = ReturnType<typeof createSwitching>

/** Others may be writing the same record, also the person themselves, again and again. */
const ATTEMPTS = 50

/** Switches accounts off and on as a directory says. What an administrator switched off stays off. */
export function createSwitching({ links, users, bus, log }: SwitchingOptions) {
  async function set(id: number, disabled: boolean): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const account: Account | null = await users.find(id)
      if (account === null || account.disabled === disabled) return false
      if (!(await users.change(account, { fields: { disabled }, password: null, keep: null }))) continue
      const details = [{ place: 'disabled', before: String(!disabled), after: String(disabled) }]
      bus.announce('noted', { kind: 'user-changed', by: null, address: null, subject: account.username, details })
      return true
    }
    return fail('busy', {})
  }

  return {
    /**
     * The directory does not let this person in any more: the account is switched off, which ends its sessions, tokens and links. The last
     * administrator only loses the sessions.
     * @returns whether anything ended
     */
    async off(person: Person): Promise<boolean> {
      const link = await links.find(person)
      if (link === null) return false
      try {
        const isOff = await set(link.user_id, true)
        if (isOff) await links.mark(person, { switchedOff: true })
        return isOff
      } catch (error) {
        if (!isAppError(error, 'forbidden')) throw error
        log(`directory: the account ${link.user_id} stays switched on, because no other administrator would be left`)
        await users.endSessions(link.user_id)
        return true
      }
    },

    /** The directory lets this person in again. */
    async on(person: Person): Promise<void> {
      const link = await links.find(person)
      if (link?.switched_off !== 1) return
      await set(link.user_id, false)
      await links.mark(person, { switchedOff: false })
    },
  }
}
