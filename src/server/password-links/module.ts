import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import type { Outbox } from '../jobs/outbox.ts'
import { createMailModule } from '../mail/module.ts'
import type { Limiters } from '../sessions/limiters.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { PasswordPolicy } from '../users/policy.ts'
import type { Users } from '../users/users.ts'
import { createPasswordLinks, type PasswordLinksDeps } from './password-links.ts'
import { createLinkStore } from './store.ts'

export interface PasswordLinksModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly outbox: Outbox
  readonly settings: SettingsReader
  readonly users: Users
  readonly policy: PasswordPolicy
  readonly limiters: Limiters
  readonly requireProof: PasswordLinksDeps['requireProof']
  readonly clock: () => Date
  readonly log: (line: string) => void
}

/** Links for passwords and addresses, and the mail that carries them. */
export function createPasswordLinksModule({ policy, requireProof, limiters, ...common }: PasswordLinksModuleOptions) {
  const store = createLinkStore(common)
  const mail = createMailModule({ ...common, makeLink: store.create })
  const passwordLinks = createPasswordLinks({
    ...common,
    ...mail.services.mail,
    store,
    policy,
    requireProof,
    limiter: limiters('password-link'),
  })
  return { services: { ...mail.services, passwordLinks }, sweeps: { passwordLinks: store.sweep }, stop: mail.stop }
}
