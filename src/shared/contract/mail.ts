import * as z from 'zod/mini'
import { HookRun } from './command.ts'
import { endpoint } from './endpoint.ts'

/** `starttls` requires it; `none` is for a server on the same machine. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof MAIL_SECURITY)[number]

const Server = z.object({
  /** Name or address of the SMTP server; empty if no mail is sent. */
  host: z.string().check(z.maxLength(255)),
  port: z.int().check(z.minimum(1), z.maximum(65535)),
  security: z.enum(MAIL_SECURITY),
  /** Empty for a server that asks for none. */
  username: z.string().check(z.maxLength(255)),
  /** The address in the From field. */
  from: z.string().check(z.maxLength(254)),
  /** Where people reach this server, such as `https://files.example.com/base`: mails cannot have links without it. */
  site: z.string().check(z.maxLength(500)),
  /** Whether people who have forgotten their password may ask for a link. */
  reset: z.boolean(),
})

/** Whether administrators are told of every quota that is nearly or completely used up. */
const quotas = z.boolean()

/** The password is never returned. */
export const MailSettings = z.extend(Server, { quotas, hasPassword: z.boolean() })
export type MailSettings = z.infer<typeof MailSettings>

export const MailChange = z.extend(Server, {
  /** Absent: unchanged. */
  quotas: z.optional(quotas),
  /** Absent: unchanged, as long as host, port and user name are. */
  password: z.optional(z.string().check(z.maxLength(1024))),
  /** The caller's password. */
  current_password: z.optional(z.string()),
})
export type MailChange = z.infer<typeof MailChange>

/** One mail: what it was about, to whom, what became of it. Without its text. */
export const SentMail = z.extend(z.omit(HookRun, { event: true, username: true, path: true }), { to: z.string(), about: z.string() })
export type SentMail = z.infer<typeof SentMail>

/** Where mail for a user goes. */
export const MailAddress = z.object({
  /** Empty if there is none. */
  address: z.string(),
  /** One that its owner has yet to confirm; empty if there is none. */
  waiting: z.string(),
  /** Whether this server sends mail at all. */
  isOn: z.boolean(),
})
export type MailAddress = z.infer<typeof MailAddress>

/**
 * What users may be told by mail: files that arrived through a link, or through a share with people; what others share with them; their quota; a sign-in
 * from a device that is not known.
 */
export const NOTICE_KINDS = ['arrived', 'arrived-people', 'shared', 'quota', 'device'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

const choice = z.boolean()
const choices = { arrived: choice, 'arrived-people': choice, shared: choice, quota: choice, device: choice }

/** Which of them a user wants. */
export const NoticeChoices = z.object(choices satisfies Record<NoticeKind, unknown>)
export type NoticeChoices = z.infer<typeof NoticeChoices>

export const mail = {
  /** With the latest mails, newest first. */
  get: endpoint('admin', 'GET /api/mail', { result: z.object({ settings: MailSettings, sent: z.array(SentMail) }) }),
  update: endpoint('admin', 'PUT /api/mail', { body: MailChange }),
  /** Sends a message now, with the saved settings. */
  test: endpoint('admin', 'POST /api/mail/test', {
    body: z.object({ to: z.string().check(z.maxLength(254)) }),
    result: z.object({ well: z.boolean(), report: z.string() }),
  }),
  /** Of oneself; administrators: of anybody. */
  address: endpoint('user', 'GET /api/users/:id/mail', { result: MailAddress }),
  /** An empty address removes it. Users confirm a new address by a link; one that an administrator enters counts at once. */
  setAddress: endpoint('user', 'PUT /api/users/:id/mail', {
    body: z.object({ address: z.string().check(z.maxLength(254)), current_password: z.optional(z.string()) }),
    result: MailAddress,
  }),
  /** What the caller wants to be told by mail. */
  notices: endpoint('user', 'GET /api/mail/notices', { result: NoticeChoices }),
  /** Absent kinds are unchanged. */
  setNotices: endpoint('user', 'PUT /api/mail/notices', { body: z.partial(z.strictObject(choices)), result: NoticeChoices }),
}
