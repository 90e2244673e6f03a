import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import { fail } from '../../shared/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Groups } from '../groups/groups.ts'
import { createBuckets } from '../sessions/buckets.ts'
import type { Opened, Origin } from '../sessions/opened.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { Account } from '../users/account.ts'
import { networksOf } from '../users/networks.ts'
import type { Provisioning } from '../users/provision.ts'
import type { Users } from '../users/users.ts'
import { createAccountLinks } from './account-links.ts'
import type { AddressOptions } from './addresses.ts'
import { createAuthorize } from './authorize.ts'
import { createBackchannel } from './backchannel.ts'
import { createDisconnect } from './disconnect.ts'
import { createEntry } from './entry.ts'
import { createFlows } from './flows.ts'
import { trustNoMore } from './trust.ts'
import { createProviderSessions } from './provider-sessions.ts'
import { createProviderStore } from './provider-store.ts'
import { createRelyingParty } from './relying-party.ts'
import { createSignInLinks } from './sign-in-links.ts'
import { createTrial } from './trial.ts'

export interface ProvidersModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
  readonly users: Users
  readonly provisioning: Provisioning
  readonly settings: SettingsStore
  readonly sessions: Sessions
  readonly groups: Groups
  readonly addresses: Pick<AddressOptions, 'baseUrl'> & Partial<AddressOptions>
}

export type Providers = ReturnType<typeof createProvidersModule>['services']['providers']

const ProvedPerson = z.object({ provider: z.string(), issuer: z.string(), subject: z.string(), sid: z.string(), idToken: z.string() })

interface Arrival {
  readonly from: Origin
  /** For the audit trail. */
  readonly method: string
  /** The secrets of trusted devices in the cookies of the request. */
  readonly devices: readonly string[]
  /** Whether a second factor was asked for elsewhere; by default not. */
  readonly hasSecond?: boolean
  /** Whether they proved who they are just now; by default they did. */
  readonly isRecent?: boolean
  readonly person?: z.infer<typeof ProvedPerson>
}

/** Beginnings by one network. */
const BEGINNINGS = { burst: 30, perSecond: 0.5 }
const NETWORKS_REMEMBERED = 10_000

/** Signing in through OpenID Connect providers. */
export function createProvidersModule(options: ProvidersModuleOptions) {
  const { db, bus, clock, log, users, provisioning, settings, sessions, groups } = options
  const { publicOrigins = [], baseUrl } = options.addresses
  const store = createProviderStore(db, clock, bus)
  const links = createAccountLinks(db, clock)
  const flows = createFlows(db, clock)
  const relyingParty = createRelyingParty({ clock })
  const providerSessions = createProviderSessions({ db, bus, clock })
  const authorize = createAuthorize({ relyingParty, flows })
  const entry = createEntry({ users, bus, provisioning, links, store, groups, log })
  const disconnect = createDisconnect({ store, links, users, groups, sessions: providerSessions, bus, log })
  const signInLinks = createSignInLinks(db, clock)
  const bucketOf = createBuckets({ remembered: NETWORKS_REMEMBERED })

  sessions.onEntered({
    keep: (token, carried) => providerSessions.remember(token, ProvedPerson.parse(JSON.parse(carried))),
    /** The provider or directory is still used, and the person connected. */
    async counts({ id }, carried) {
      const { provider, ...person } = ProvedPerson.parse(JSON.parse(carried))
      const isUsed = (await store.ways()).some((way) => way.id === provider && way.enabled)
      return isUsed && (await links.find(person))?.user_id === id
    },
  })

  /**
   * The one place where a way of signing in that is not `sessions.signIn` goes on: to a session, or to the second factor of the account. Fails with
   * `second-factor-needed`.
   * @param person whose session at the provider it belongs to; remembered when the session here opens
   */
  function open(account: Account, { person, ...how }: Arrival): Promise<Opened> {
    return sessions.afterFirstProof(account, { ...how, web: true, ...(person !== undefined && { carried: JSON.stringify(person) }) })
  }

  const services = {
    store,
    links,
    flows,
    relyingParty,
    authorize,
    entry,
    providerSessions,
    disconnect,
    signInLinks,
    users,
    bus,
    log,
    settings,
    clock,
    open,
    backchannel: createBackchannel({ relyingParty, sessions: providerSessions, clock }),
    trial: createTrial({ relyingParty, authorize, entry }),
    addresses: { publicOrigins, baseUrl } satisfies AddressOptions,
    requireProof: sessions.requireProof,
    hasNoPassword: sessions.hasNoPassword,

    /** @returns false if this network began too many */
    mayBegin(address: string | null): boolean {
      const bucket = bucketOf(address === null ? '' : networksOf(address).own, BEGINNINGS)
      const now = clock().getTime()
      if (!bucket.has(now)) return false
      bucket.take(now)
      return true
    },

    /** If passwords are refused, at least one other way to sign in stays. Fails with `invalid-input`. */
    async keepOne(leaving: string): Promise<void> {
      if (!(await settings.read()).providersOnly) return
      const others = (await store.ways()).filter(({ id, enabled }) => enabled && id !== leaving)
      if (others.length === 0) fail('invalid-input', { issues: ['enabled: passwords are refused, so one provider must stay'] })
    },

    /** A provider is not trusted to ask for second factors any more: at once, not only at the next sign-in. */
    trustNoMore: (id: string): Promise<void> => trustNoMore({ links, users }, id),

    /** The buttons of the sign-in page. */
    async buttons(): Promise<{ id: string; name: string }[]> {
      return (await store.all()).filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name }))
    },
  }
  return {
    services: { providers: services },
    sweeps: {
      signInFlows: async () => {
        await flows.sweep()
        await flows.limit()
      },
      providerSessions: providerSessions.sweep,
      signInLinks: signInLinks.sweep,
    },
  }
}
