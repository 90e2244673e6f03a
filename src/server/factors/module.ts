import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { SettingsStore } from '../settings/store.ts'
import type { Users } from '../users/users.ts'
import { createFactors } from './factors.ts'
import { createSecondProofs } from './second-proof.ts'
import { createTickets } from './tickets.ts'
import { createTrustedDevices } from './trusted-devices.ts'

export interface FactorsModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly users: Users
  readonly settings: SettingsStore
  readonly clock: () => Date
}

/** Second factors: setting them up, and what `sessions` checks when somebody signs in. */
export function createFactorsModule(options: FactorsModuleOptions) {
  const tickets = createTickets(options)
  const devices = createTrustedDevices(options)
  return {
    factors: createFactors({ ...options, tickets, devices }),
    tickets,
    devices,
    proofs: createSecondProofs(options),
    sweeps: { tickets: tickets.sweep, trustedDevices: devices.sweep },
  }
}

/** What `sessions` needs of it. */
export type SecondFactors = Pick<ReturnType<typeof createFactorsModule>, 'tickets' | 'devices' | 'proofs'>
