import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import type { Users } from '../users/users.ts'
import { followProperties } from './follow-properties.ts'
import { createLockGuard, type LockGuardDeps } from './lock-guard.ts'
import { createLockStore } from './lock-store.ts'
import { createLocks } from './locks.ts'
import { createPasswordIdentities, type PasswordIdentitiesOptions } from './password-identities.ts'
import { createPropertyStore } from './property-store.ts'
import { createDavSignIn, type SignInDeps } from './sign-in.ts'

export interface DavModuleOptions extends PasswordIdentitiesOptions, Pick<SignInDeps, 'identifyToken' | 'refuseToken'> {
  readonly db: Kysely<Schema>
  readonly users: Users
  readonly systemDrive: Drive
  readonly listedPath: LockGuardDeps['listedPath']
  readonly clock: () => Date
}

/** WebDAV: who asks, locks, and properties that clients set. */
export function createDavModule({ db, users, systemDrive, listedPath, clock, ...options }: DavModuleOptions) {
  const store = createLockStore({ db, clock })
  const guard = createLockGuard({ store, users, systemDrive, listedPath })
  const properties = createPropertyStore(db)
  const { observer, ...followers } = followProperties({ store: properties, systemDrive })
  const passwords = createPasswordIdentities({ db, users, clock, ...options })
  return {
    services: {
      guard,
      properties,
      locks: createLocks({ store, guard, clock }),
      signIn: createDavSignIn({ ...options, passwords }),
    },
    observer: guard.observer,
    properties: observer,
    ...followers,
    sweeps: { locks: () => store.sweep() },
  }
}
