import * as z from 'zod/mini'
import { MAIL_SECURITY } from '../../shared/contract/mail.ts'
import { Branding, SecondFactorFor, UserDefaults } from '../../shared/contract/settings.ts'
import { Permissions, Rule, WelcomeStep } from '../../shared/contract/users.ts'

const text = (value: string) => z._default(z.string(), value)
const flag = (value: boolean) => z._default(z.boolean(), value)
const count = (value: number) => z._default(z.number(), value)
const lines = z._default(z.array(z.string()), [])

/** Defaults of new accounts. Never administration, never commands (invariant I9). */
const NEW_RIGHTS = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
const Defaults = z.extend(UserDefaults, { perm: z._default(Permissions, NEW_RIGHTS) })

/** Commands by event; an event without commands is present as well. */
export const Hooks = z.object({
  after_copy: lines,
  after_delete: lines,
  after_rename: lines,
  after_save: lines,
  after_upload: lines,
  before_copy: lines,
  before_delete: lines,
  before_rename: lines,
  before_save: lines,
  before_upload: lines,
})

/** Everything that an administrator may set, as it is stored; fields that an older version did not store get their defaults. */
export const Settings = z.object({
  signup: flag(false),
  hideLoginButton: flag(true),
  createUserDir: flag(false),
  minimumPasswordLength: count(12),
  userHomeBasePath: text('/users'),
  defaults: z.prefault(Defaults, {}),
  authMethod: z._default(z.enum(['json', 'proxy', 'noauth', 'hook']), 'json'),
  rules: z._default(z.array(Rule), []),
  branding: z.prefault(Branding, {}),
  /** `chunkSize` in bytes. */
  tus: z._default(z.object({ chunkSize: z.number(), retryCount: z.number() }), { chunkSize: 10 * 1024 * 1024, retryCount: 5 }),
  shell: lines,
  commands: z.prefault(Hooks, {}),
  /** Not in the API: what the method needs, the header name of `proxy` and the command line of `hook`. */
  auth: z.prefault(z.object({ header: text(''), command: text('') }), {}),
  /** Not in the API: a hash of the hash of the password that was printed at the first start; another password has another. */
  printedPassword: text(''),
  /** Not in the API: the steps of the first minute that are left, and the account that is offered them. */
  welcome: z._default(z.nullable(z.object({ userId: z.number(), steps: z.array(WelcomeStep) })), null),
  /** Not in the API. */
  logoutPage: text('/login'),
  /** Clients other than our web application need no fresh proof for sensitive changes; for front ends and scripts of the predecessor. */
  compatibility: flag(false),
  /** Who must have a second factor. */
  secondFactorFor: z._default(SecondFactorFor, 'nobody'),
  /** Not in the API: whether anybody has ever set up a passkey, so that the sign-in page asks for one. */
  passkeys: flag(false),
  /** Whether programs reach files by WebDAV. */
  webdav: flag(true),
  /** How long the audit trail is kept; 0 keeps none. */
  activityDays: count(90),
  /** Whether it keeps the addresses of clients. */
  activityAddresses: flag(true),
  /** How long deleted files can be restored; 0 for no trash. */
  trashDays: count(30),
  /** Percent of each disk. */
  trashShare: count(10),
  /** How long earlier contents of files are kept; 0 for no versions. */
  versionDays: count(365),
  /** Percent of each disk. */
  versionShare: count(10),
  /** Not in the API of the settings: it contains a password, and has calls of its own. An empty host: no mail is sent. */
  mail: z.prefault(
    z.object({
      host: text(''),
      port: count(587),
      security: z._default(z.enum(MAIL_SECURITY), 'starttls'),
      username: text(''),
      password: text(''),
      from: text(''),
      site: text(''),
      reset: flag(true),
      quotas: flag(false),
    }),
    {},
  ),
  /** Not in this API (`/api/providers/only`): passwords are refused, people sign in through a provider. */
  providersOnly: flag(false),
  /** Not in the API: it contains a secret. An empty host means Google's. */
  recaptcha: z._default(z.nullable(z.object({ host: text(''), key: text(''), secret: text('') })), null),
})
export type Settings = z.infer<typeof Settings>

/** Whether people sign in with a password that is kept here. */
export function havePasswords({ authMethod, providersOnly }: Pick<Settings, 'authMethod' | 'providersOnly'>): boolean {
  return authMethod === 'json' && !providersOnly
}

/**
 * Whether visitors may create accounts. Only if people sign in with our own passwords: otherwise somebody could take the name of a person whom the
 * proxy or the hook will assert later.
 */
export function mayPeopleSignUp(settings: Settings): boolean {
  return settings.signup && havePasswords(settings)
}

/** Whether people may ask for a link by which they choose another password. */
export function mayPeopleReset({ mail, ...settings }: Settings): boolean {
  return havePasswords(settings) && mail.host !== '' && mail.reset
}

export interface SettingsReader {
  /**
   * The same object until something changes, so that derived values can be cached.
   * @param elsewhere the value of `externalWrites`, if the caller has just read it
   */
  read(elsewhere?: number): Promise<Settings>
  /** The same without asking the database; null where that has to be asked. @param elsewhere as for `read` */
  readNow(elsewhere: number): Settings | null
}

export interface ChangedBy {
  readonly id: number
  readonly name: string
  /** Name of the API token that it was done with. */
  readonly token?: string
  readonly address: string | null
}
