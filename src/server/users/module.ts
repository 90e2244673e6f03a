import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { createManagement, type ManagementOptions } from './manage.ts'
import type { Passwords } from './password.ts'
import { createPasswordPolicy } from './policy.ts'
import { createProvisioning, type Homes } from './provision.ts'
import { createUsers } from './users.ts'

export interface UsersModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly clock: () => Date
  readonly passwords: Passwords
  readonly settings: SettingsReader
  readonly homes: Homes
  readonly requireProof: ManagementOptions['requireProof']
}

/** Accounts: creation and management. */
export function createUsersModule({ db, bus, clock, passwords, settings, homes, requireProof }: UsersModuleOptions) {
  const users = createUsers({ db, bus, passwords, clock })
  const policy = createPasswordPolicy({ settings })
  const management = createManagement({ users, bus, settings, policy, requireProof, makeHome: homes.make })
  return { users, management, policy, provisioning: createProvisioning({ users, bus, settings, homes }) }
}
