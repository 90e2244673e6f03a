import type { Kysely } from 'kysely'
import type { Bus } from '../bus/bus.ts'
import type { Schema } from '../db/schema.ts'
import { createOutboxWorker } from '../jobs/outbox-worker.ts'
import type { Outbox } from '../jobs/outbox.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Users } from '../users/users.ts'
import { createAddresses } from './addresses.ts'
import { createChoices } from './choices.ts'
import { createMailer, MAIL_JOB, type MailerDeps } from './mailer.ts'
import { sendBySmtp } from './transport.ts'

const CONCURRENCY = 2
const POLL_MS = 15_000

export interface MailModuleOptions {
  readonly db: Kysely<Schema>
  readonly bus: Bus
  readonly outbox: Outbox
  readonly settings: SettingsReader
  readonly users: Users
  readonly makeLink: MailerDeps['makeLink']
  readonly log: (line: string) => void
}

/** Mail, with a worker of its own: a server that does not answer must not delay hooks. */
export function createMailModule({ db, bus, outbox, settings, users, makeLink, log }: MailModuleOptions) {
  const addresses = createAddresses({ db })
  const choices = createChoices({ db })
  const mailer = createMailer({ settings, users, addresses, choices, outbox, send: sendBySmtp, makeLink, wake: () => worker.wake(), log })
  const worker = createOutboxWorker({ outbox, handlers: { [MAIL_JOB]: mailer.perform }, log, concurrency: CONCURRENCY, pollMs: POLL_MS })

  /**
   * The owner is told of every change of a password, also of one by an administrator; and at the former address that another one has taken its place,
   * or none: nobody who knows the password for a moment must be able to keep all of that quiet.
   */
  async function tellOwner(username: string, { password, mail }: { password: boolean; mail: string }): Promise<void> {
    const account = await users.findByName(username)
    if (account === null) return
    if (password) await mailer.queue('changed', account.id)
    if (mail !== '') await mailer.queue('address-changed', account.id, { address: mail })
  }
  bus.on('noted', ({ kind, subject, details = [] }) => {
    if (kind !== 'user-changed' || subject === undefined) return
    const at = (place: string) => details.find((one) => one.place === place)
    const address = at('mail')
    const changed = { password: at('password') !== undefined, mail: address?.before === address?.after ? '' : (address?.before ?? '') }
    if (!changed.password && changed.mail === '') return
    // The line has the name of before.
    void tellOwner(at('username')?.after ?? subject, changed).catch((error: unknown) => log(`mail: ${String(error)}`))
  })

  return { services: { mail: { mailer, addresses, choices } }, stop: worker.stop }
}
