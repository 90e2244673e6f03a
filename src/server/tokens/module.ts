import type { Kysely } from 'kysely'
import { fail } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { PresentedToken } from '../http/presented-token.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { GrantedTo } from '../users/access-of.ts'
import type { Users } from '../users/users.ts'
import { createTokenStore } from './store.ts'
import { createTokenIdentities } from './token-identities.ts'
import { createTokens } from './tokens.ts'

export interface TokensModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly users: Users
  readonly settings: SettingsReader
  readonly grantedTo: GrantedTo
  readonly clock: () => Date
  /** Counts a wrong token; fails with `too-many-requests` if there were too many. */
  readonly countGuess: (guess: { address: string | null; account: string }) => Promise<unknown>
}

/** API tokens: making them, and whom they identify. */
export function createTokensModule({ db, bus, users, settings, grantedTo, clock, countGuess }: TokensModuleOptions) {
  const store = createTokenStore(db)
  const identities = createTokenIdentities({
    db,
    store,
    users,
    settings,
    grantedTo,
    clock,
    onNewNetwork(token, account, address) {
      const by = { id: account.id, name: account.username, token: token.name }
      bus.announce('noted', { kind: 'api-token-used', by, address, subject: token.name })
    },
  })
  for (const topic of ['user.changed', 'session.changed', 'group.changed'] as const)
    bus.on(topic, ({ userId }) => identities.forget(userId))
  const tokens = createTokens({
    store,
    users,
    clock,
    bus: {
      announce(topic, event) {
        // Also where the bus reaches this server later than others.
        if (topic === 'session.changed' && 'userId' in event) identities.forget(event.userId)
        bus.announce(topic, event)
      },
    },
  })
  return {
    services: {
      tokens,
      identifyToken: identities.identify,
      /**
       * Counts a wrong token and fails: with `too-many-requests` after too many of them from one address, otherwise with `invalid-token`. A right one is
       * never counted, so that nobody's mistakes keep others out.
       */
      async refuseToken({ secret }: PresentedToken, address: string | null): Promise<never> {
        await countGuess({ address, account: `token ${secret.slice(0, MOST_CHARS)}` })
        return fail('invalid-token', {})
      },
    },
    sweeps: { apiTokens: tokens.sweep },
  }
}

/** A wrong token may be as long as a header. */
const MOST_CHARS = 60
