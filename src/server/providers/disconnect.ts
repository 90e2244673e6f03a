import type { Selectable } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { AccountLinksTable } from '../db/provider-tables.ts'
import type { Groups } from '../groups/groups.ts'
import type { Users } from '../users/users.ts'
import type { AccountLinks } from './account-links.ts'
import { sourceOf } from './provider.ts'
import type { ProviderSessions } from './provider-sessions.ts'
import type { ProviderStore } from './provider-store.ts'
import { setAdmin } from './set-admin.ts'
import { trustFactor, trustNoMore } from './trust.ts'

export interface DisconnectOptions {
  readonly store: Pick<ProviderStore, 'all'>
  readonly links: AccountLinks
  readonly users: Pick<Users, 'find' | 'change' | 'setFactorElsewhere'>
  readonly groups: Pick<Groups, 'leaveDirectory'>
  readonly sessions: Pick<ProviderSessions, 'end' | 'endOf'>
  readonly bus: Bus
  readonly log: (line: string) => void
}

type Link = Selectable<AccountLinksTable>

export type Disconnect = ReturnType<typeof createDisconnect>

/** What a connection with a provider or a directory gave ends with it: sign-ins, administration, memberships, and trust in second factors. */
export function createDisconnect(options: DisconnectOptions) {
  const { links, users, groups, sessions } = options

  /** The administration that this connection gave. */
  async function takeAdmin(link: Link): Promise<void> {
    const account = link.made_admin === 1 ? await users.find(link.user_id) : null
    if (account?.perm.admin === true) await setAdmin(options, account, false)
  }

  return {
    /** One account from one person. @param keep the session that goes on, with the sign-in that it belongs to; null if none does */
    async person(link: Link, { keep }: { keep: string | null }): Promise<void> {
      const { issuer, subject, provider, user_id: userId } = link
      await takeAdmin(link)
      await links.remove(link)
      await sessions.end({ issuer, subject, sid: null, keep })
      await groups.leaveDirectory(sourceOf(provider, issuer), userId)
      const account = await users.find(userId)
      if (account !== null) await trustFactor(options, account)
    },

    /**
     * Everybody from a provider or directory that is removed: before, so that it can be removed again if this fails or the server is killed, and
     * afterwards, for those who have signed in meanwhile. Their connections are kept, for when it comes back; they give nothing until then. Fails with
     * `busy`, when it has done the same for all others, if somebody's record is being written all the time.
     */
    async everybody(provider: string, { issuer }: { issuer?: string } = {}): Promise<void> {
      await sessions.endOf(provider)
      const failures: unknown[] = []
      for (const link of await links.ofProvider(provider)) {
        try {
          await takeAdmin(link)
          if (link.made_admin === 1) await links.used(link, { madeAdmin: false, isSignIn: false })
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
      await groups.leaveDirectory(sourceOf(provider, issuer))
      await trustNoMore(options, provider)
    },
  }
}
