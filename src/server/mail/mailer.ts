import * as z from 'zod/mini'
import type { LinkKind } from '../../shared/contract/password-links.ts'
import type { SentMail } from '../../shared/contract/mail.ts'
import { type AttemptResult, type Outbox, type OutboxJob, runOf } from '../jobs/outbox.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import type { Addresses } from './addresses.ts'
import { type About, messageOf } from './message.ts'
import type { SendMail } from './transport.ts'

export const MAIL_JOB = 'mail'
/** About four hours from the first attempt to the last. */
const MOST_ATTEMPTS = 9
const MOST_WAITING = 10_000
const SENT_SHOWN = 50
const MAX_REPORT_CHARS = 300

/** What is kept of a mail until it is sent: neither its text nor a secret. */
const Task = z.object({
  about: z.enum(['invitation', 'reset', 'address', 'changed', 'shared']),
  userId: z.number(),
  /** Where it goes instead of the user's address: one that is yet to be confirmed. */
  address: z.string(),
  /** Name of who caused it. */
  by: z.string(),
  /** Language for users without one. */
  locale: z.string(),
})
type Task = z.infer<typeof Task>

export interface MailerDeps {
  readonly settings: SettingsReader
  readonly users: Pick<Users, 'find'>
  readonly addresses: Pick<Addresses, 'find'>
  readonly outbox: Pick<Outbox, 'add' | 'latest' | 'waiting'>
  readonly send: SendMail
  /** A new link of an account; made when its mail is sent, so that no secret waits in the database. */
  readonly makeLink: (account: Account, kind: LinkKind, address: string) => Promise<{ secret: string; expires: Date }>
  readonly wake: () => void
  readonly log: (line: string) => void
}

export type Mailer = ReturnType<typeof createMailer>

/** Sends mails as jobs, which are attempted again, also after a restart. No operation waits for one. */
export function createMailer({ settings, users, addresses, outbox, send, makeLink, wake, log }: MailerDeps) {
  async function deliver(task: Task, to: string, signal: AbortSignal): Promise<AttemptResult> {
    const { mail, branding } = await settings.read()
    const account = await users.find(task.userId)
    if (account === null || (account.disabled && task.about !== 'changed')) return { done: true, report: 'not sent: the account is gone' }
    const kind = task.about === 'changed' || task.about === 'shared' ? null : task.about
    const made = kind === null ? null : await makeLink(account, kind, task.address)
    const message = messageOf({
      about: task.about,
      to,
      site: branding.name || 'Satchel',
      user: account.username,
      by: task.by,
      locale: account.locale || task.locale,
      link:
        task.about === 'shared'
          ? { url: `${mail.site}/with-me` }
          : made && { url: `${mail.site}/password#${made.secret}`, expires: made.expires },
    })
    try {
      await send(mail, message, signal)
      return { done: true, report: 'sent' }
    } catch (error) {
      const report = reasonOf(error)
      log(`mail ${task.about} to user ${task.userId}: ${report}`)
      return { done: false, report, maxAttempts: isFinal(error) ? 1 : MOST_ATTEMPTS }
    }
  }

  return {
    /** Whether mail can be sent at all. */
    isOn: async (): Promise<boolean> => (await settings.read()).mail.host !== '',

    /** @returns whether a mail will be sent: not without a server or an address */
    async queue(about: Task['about'], userId: number, { address = '', by = '', locale = '' } = {}): Promise<boolean> {
      if ((await settings.read()).mail.host === '') return false
      if (address === '' && (await addresses.find(userId)) === null) return false
      if ((await outbox.waiting(MAIL_JOB)) >= MOST_WAITING) {
        log(`mail: ${MOST_WAITING} mails wait already, more are not kept`)
        return false
      }
      await outbox.add(MAIL_JOB, JSON.stringify({ about, userId, address, by, locale } satisfies Task), { dueInMs: 0 })
      wake()
      return true
    },

    async perform({ task: text }: OutboxJob, signal: AbortSignal): Promise<AttemptResult> {
      const task = Task.parse(JSON.parse(text))
      if ((await settings.read()).mail.host === '') return { done: false, report: '\nmail was switched off', maxAttempts: 1 }
      const to = task.address === '' ? await addresses.find(task.userId) : task.address
      if (to === null) return { done: true, report: '\nnot sent: there is no address any more' }
      const result = await deliver(task, to, signal)
      return { ...result, report: `${to}\n${result.report}` }
    },

    /** Sends a test message at once. */
    async test(to: string, locale: string): Promise<{ well: boolean; report: string }> {
      const { mail, branding } = await settings.read()
      if (mail.host === '') return { well: false, report: 'no server is set' }
      const message = messageOf({ about: 'test', to, site: branding.name || 'Satchel', user: '', by: '', locale, link: null })
      try {
        await send(mail, message, AbortSignal.timeout(60_000))
        return { well: true, report: `sent to ${to}` }
      } catch (error) {
        return { well: false, report: reasonOf(error) }
      }
    },

    async latest(): Promise<SentMail[]> {
      return (await outbox.latest(MAIL_JOB, SENT_SHOWN)).map((job) => {
        const { about, address } = Task.parse(JSON.parse(job.task))
        const [to = '', ...report] = job.report.split('\n')
        return { ...runOf(job), to: to || address, about, output: report.join('\n') }
      })
    },
  }
}

export type { About }

/** SMTP's permanent errors (RFC 5321 §4.2.1), and credentials that the server refuses. */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  return code >= 500 && code < 600
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, MAX_REPORT_CHARS)
}
