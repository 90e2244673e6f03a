import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Groups } from '../groups/groups.ts'
import { createAddresses } from '../mail/addresses.ts'
import { createAccountEntry } from '../providers/account-entry.ts'
import type { Providers } from '../providers/module.ts'
import type { Limiters } from '../sessions/limiters.ts'
import type { Provisioning } from '../users/provision.ts'
import type { Users } from '../users/users.ts'
import { createChecks } from './checks.ts'
import { createDirectoryStore } from './directory-store.ts'
import { createDirectorySignIn } from './sign-in.ts'
import { createSwitching } from './switching.ts'
import { createTrial } from './trial.ts'

export interface DirectoriesModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly log: (line: string) => void
  readonly users: Users
  readonly provisioning: Provisioning
  readonly groups: Groups
  readonly providers: Providers
  readonly limiters: Limiters
}

export type Directories = ReturnType<typeof createDirectoriesModule>['services']['directories']

const CHECK_EVERY_MS = 60_000

/** Signing in by LDAP directories. */
export function createDirectoriesModule(options: DirectoriesModuleOptions) {
  const { limiters, db, bus, clock, log, users, provisioning, groups, providers } = options
  const { links } = providers
  const store = createDirectoryStore(db, clock, bus)
  const entry = createAccountEntry({ users, bus, provisioning, links, groups, log })
  const switching = createSwitching({ links, users, bus, log })
  const limiter = limiters('directory')
  const addresses = createAddresses({ db })
  const signIn = createDirectorySignIn({ store, links, entry, switching, addresses, limiter, bus, clock, log })
  const checks = createChecks({ store, links, users, entry, switching, clock, log })
  const checkDue = (): Promise<void> => checks.checkDue().catch((error: unknown) => log(`directories: ${String(error)}`))
  let underway: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null

  return {
    services: {
      directories: {
        store,
        links,
        users,
        groups,
        bus,
        limiter,
        signIn,
        checks,
        trial: createTrial({ entry, clock }),
        requireProof: providers.requireProof,
        keepOne: providers.keepOne,
        trustFactor: providers.entry.trustFactor,
        /** Whether a provider or a directory has this id. */
        isWay: async (id: string): Promise<boolean> => (await providers.store.ways()).some((way) => way.id === id),
        disconnect: providers.disconnect,

        /** From now on accounts are compared with their directories, each in its interval. */
        start(): void {
          timer ??= setInterval(() => void (underway = checkDue()), CHECK_EVERY_MS)
        },
      },
    },
    async stop(): Promise<void> {
      if (timer !== null) clearInterval(timer)
      await underway
    },
  }
}
