import type { Kysely } from 'kysely'
import { isShared } from '../db/database-kind.ts'
import type { Schema } from '../db/schema.ts'
import type { Drive } from '../drive/drive.ts'
import type { Users } from '../users/users.ts'
import { followProperties } from './follow-properties.ts'
import { createLockGuard, type LockGuardDeps } from './lock-guard.ts'
import { createLockStore } from './lock-store.ts'
import { createLocks } from './locks.ts'
import { type OverwriteRecoveryDeps, undoOverwrites } from './overwrite-recovery.ts'
import { createOverwrites } from './overwrites.ts'
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

type RecoverDeps = Pick<OverwriteRecoveryDeps, 'journal' | 'driveFor' | 'log'>

/** A server that has not said for this long that it is at work is dead. */
const LEASE_MS = 10 * 60_000

/** WebDAV: who asks, locks, and properties that clients set. */
export function createDavModule({ db, users, systemDrive, listedPath, clock, ...options }: DavModuleOptions) {
  const started = clock().getTime()
  const overwrites = createOverwrites({ db, clock })
  const store = createLockStore({ db, clock })
  const guard = createLockGuard({ store, users, systemDrive, listedPath })
  const properties = createPropertyStore({ db, clock })
  const { observer, ...followers } = followProperties({ store: properties, systemDrive, listedPath, lockPlaceOf: guard.lockPlaceOf })
  const passwords = createPasswordIdentities({ db, users, clock, ...options })
  return {
    services: {
      guard,
      listedPath,
      overwrites,
      properties,
      locks: createLocks({ store, guard, clock }),
      signIn: createDavSignIn({ ...options, passwords }),
    },
    observer: guard.observer,
    properties: observer,
    ...followers,
    /** Call it once, at the start, when the trash has recovered. */
    recover: (deps: RecoverDeps): Promise<void> =>
      undoOverwrites({ ...deps, overwrites, systemDrive }, { before: isShared(db) ? clock().getTime() - LEASE_MS : started }),
    sweeps: (deps: RecoverDeps) => ({
      locks: () => store.sweep(),
      davOverwrites: () => undoOverwrites({ ...deps, overwrites, systemDrive }, { before: clock().getTime() - LEASE_MS }),
    }),
  }
}
