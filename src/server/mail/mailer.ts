import * as z from 'zod/mini'
import type { LinkKind } from '../../shared/contract/password-links.ts'
import type { NoticeKind, SentMail } from '../../shared/contract/mail.ts'
import type { Language } from '../../shared/languages.ts'
import { type AttemptResult, type Outbox, type OutboxJob, runOf } from '../jobs/outbox.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Account } from '../users/account.ts'
import type { Users } from '../users/users.ts'
import type { Addresses } from './addresses.ts'
import type { Choices } from './choices.ts'
import { type About, type Content, messageOf, NOTICES, type NoticeAbout } from './message.ts'
import { textsFor } from './texts.ts'
import type { SendMail } from './transport.ts'

export const MAIL_JOB = 'mail'
/** About four hours from the first attempt to the last. */
const MOST_ATTEMPTS = 9
const MOST_WAITING = 10_000
const SENT_SHOWN = 50
const MAX_REPORT_CHARS = 300

/** What is kept of a mail until it is sent: neither its text nor a secret. */
const Task = z.object({
  about: z.enum(['invitation', 'reset', 'address', 'address-changed', 'changed', 'shared', ...NOTICES]),
  userId: z.number(),
  /** Where it goes instead of the user's address: one that is yet to be confirmed, or the former one. */
  address: z.string(),
  /** Name of who caused it. */
  by: z.string(),
  /** Language for users without one. */
  locale: z.string(),
  /** What else the mail needs, defined by what it is about. */
  data: z._default(z.record(z.string(), z.string()), {}),
})
type Task = z.infer<typeof Task>

/** What a user may have switched off; the others are sent in any case. */
const KINDS: Readonly<Partial<Record<Task['about'], NoticeKind>>> = {
  shared: 'shared',
  quota: 'quota',
  'quota-full': 'quota',
  'quota-other': 'quota',
  'quota-other-full': 'quota',
  device: 'device',
}

/** Told whatever became of the account since. */
function isAlarm(about: Task['about']): about is 'changed' | 'address-changed' {
  return about === 'changed' || about === 'address-changed'
}

/** What a mail says, as far as its kind does not say it. */
export interface Notice extends Pick<Content, 'values' | 'facts' | 'sections'> {
  /** Page of this server that the mail leads to, such as `/settings/profile`. */
  readonly page?: string
  /** Called when the mail was sent, or is given up. */
  readonly onEnd?: () => Promise<void>
}

export interface AskedNotice {
  readonly about: NoticeAbout
  readonly data: Readonly<Record<string, string>>
  /** The reader. */
  readonly account: Account
  /** Where people reach this server. */
  readonly site: string
  readonly language: Language
  readonly jobId: string
}

/** Made when the mail is sent, of what its reader may see then. Null if there is nothing to tell any more. */
export type MakeNotice = (asked: AskedNotice) => Promise<Notice | null>

export interface MailerDeps {
  readonly settings: SettingsReader
  readonly users: Pick<Users, 'find'>
  readonly addresses: Pick<Addresses, 'find'>
  readonly choices: Pick<Choices, 'isWanted'>
  readonly outbox: Pick<Outbox, 'add' | 'latest' | 'waiting'>
  readonly send: SendMail
  /** A new link of an account; made when its mail is sent, so that no secret waits in the database. */
  readonly makeLink: (account: Account, kind: LinkKind, address: string) => Promise<{ secret: string; expires: Date }>
  readonly wake: () => void
  readonly log: (line: string) => void
}

export type Mailer = ReturnType<typeof createMailer>

/** Sends mails as jobs, which are attempted again, also after a restart. No operation waits for one. */
export function createMailer({ settings, users, addresses, choices, outbox, send, makeLink, wake, log }: MailerDeps) {
  let makeNotice: MakeNotice = async () => null

  const isOff = async (userId: number, about: Task['about']): Promise<boolean> => {
    const kind = KINDS[about]
    return kind !== undefined && !(await choices.isWanted(userId, kind))
  }

  /** What only this mail says; null if there is nothing to tell. */
  async function detailsOf(task: Task, account: Account, jobId: string): Promise<(Partial<Content> & Pick<Notice, 'onEnd'>) | null> {
    const { site } = (await settings.read()).mail
    const { about, data } = task
    if (isAlarm(about)) return {}
    if (about === 'shared') return { link: { url: `${site}/with-me` }, choices: choicesAt(site) }
    if (about === 'invitation' || about === 'reset' || about === 'address') {
      const made = await makeLink(account, about, task.address)
      return { link: { url: `${site}/password#${made.secret}`, expires: made.expires } }
    }
    const { language } = textsFor(account.locale || task.locale)
    const notice = await makeNotice({ about, data, account, site, language, jobId })
    if (notice === null) return null
    const { page, ...said } = notice
    return { ...said, ...(page !== undefined && { link: { url: `${site}${page}` } }), choices: choicesAt(site) }
  }

  async function deliver(job: OutboxJob, task: Task, to: string, signal: AbortSignal): Promise<AttemptResult> {
    const { mail, branding } = await settings.read()
    const account = await users.find(task.userId)
    if (account === null || (account.disabled && !isAlarm(task.about))) return { done: true, report: 'not sent: the account is gone' }
    const details = (await isOff(account.id, task.about)) ? null : await detailsOf(task, account, job.id)
    if (details === null) return { done: true, report: 'not sent: there is nothing to tell any more' }
    const { onEnd, ...said } = details
    const message = messageOf({
      about: task.about,
      to,
      site: branding.name || 'Satchel',
      user: account.username,
      by: task.by,
      locale: account.locale || task.locale,
      link: null,
      ...said,
    })
    try {
      await send(mail, message, signal)
    } catch (error) {
      const report = reasonOf(error)
      log(`mail ${task.about} to user ${task.userId}: ${report}`)
      const maxAttempts = isFinal(error) ? 1 : MOST_ATTEMPTS
      if (job.attempts >= maxAttempts && !signal.aborted) await onEnd?.()
      return { done: false, report, maxAttempts }
    }
    await onEnd?.().catch((error: unknown) => log(`mail ${task.about}: ${String(error)}`))
    return { done: true, report: 'sent' }
  }

  /** Whether a mail about this would reach a user now. */
  async function canTell(about: Task['about'], userId: number): Promise<boolean> {
    if ((await settings.read()).mail.host === '') return false
    return (await addresses.find(userId)) !== null && !(await isOff(userId, about)) && (await hasRoom())
  }

  async function hasRoom(): Promise<boolean> {
    if ((await outbox.waiting(MAIL_JOB)) < MOST_WAITING) return true
    log(`mail: ${MOST_WAITING} mails wait already, more are not kept`)
    return false
  }

  return {
    /** Whether mail can be sent at all. */
    isOn: async (): Promise<boolean> => (await settings.read()).mail.host !== '',
    canTell,
    /** Call it after a mail has become due. */
    wake,

    /** What mails say about arrivals, quotas and devices. */
    onNotice(make: MakeNotice): void {
      makeNotice = make
    },

    /** @returns whether a mail will be sent: not without a server or an address, nor of a kind that the user has switched off */
    async queue(
      about: Task['about'],
      userId: number,
      { address = '', by = '', locale = '', data = {} }: Partial<Omit<Task, 'about' | 'userId'>> = {},
    ): Promise<boolean> {
      if (address === '' && !(await canTell(about, userId))) return false
      if (address !== '' && ((await settings.read()).mail.host === '' || !(await hasRoom()))) return false
      await outbox.add(MAIL_JOB, JSON.stringify({ about, userId, address, by, locale, data } satisfies Task), { dueInMs: 0 })
      wake()
      return true
    },

    async perform(job: OutboxJob, signal: AbortSignal): Promise<AttemptResult> {
      const task = Task.parse(JSON.parse(job.task))
      if ((await settings.read()).mail.host === '') return { done: false, report: '\nmail was switched off', maxAttempts: 1 }
      const to = task.address === '' ? await addresses.find(task.userId) : task.address
      if (to === null) return { done: true, report: '\nnot sent: there is no address any more' }
      const result = await deliver(job, task, to, signal)
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

/** The job of a mail about something that is gathered or told once. */
export function noticeTask(about: NoticeAbout, userId: number, data: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({ about, userId, address: '', by: '', locale: '', data } satisfies Task)
}

export type { About }

/** Where users choose what they are told. */
function choicesAt(site: string): string {
  return `${site}/settings/profile`
}

/** SMTP's permanent errors (RFC 5321 §4.2.1), and credentials that the server refuses. */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  return code >= 500 && code < 600
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, MAX_REPORT_CHARS)
}
