import * as z from 'zod/mini'
import { Permissions, Rule, Sorting, ViewMode } from '../../shared/contract/users.ts'

const text = (value: string) => z._default(z.string(), value)
const flag = (value: boolean) => z._default(z.boolean(), value)
const count = (value: number) => z._default(z.number(), value)
const lines = z._default(z.array(z.string()), [])

const Branding = z.object({
  name: text(''),
  disableExternal: flag(false),
  disableUsedPercentage: flag(false),
  files: text(''),
  theme: z._default(z.enum(['', 'light', 'dark', 'system']), ''),
  color: text(''),
})

/** Defaults of new accounts. Never administration, never commands (invariant I9). */
const Defaults = z.object({
  scope: text('.'),
  locale: text(''),
  viewMode: z._default(ViewMode, 'mosaic'),
  singleClick: flag(false),
  redirectAfterCopyMove: flag(false),
  sorting: z._default(Sorting, { by: 'name', asc: false }),
  perm: z._default(Permissions, {
    admin: false,
    execute: false,
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  }),
  commands: lines,
  hideDotfiles: flag(false),
  dateFormat: flag(false),
  aceEditorTheme: text(''),
})

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
  /** Not in the API. */
  logoutPage: text('/login'),
  /** Clients other than our web application need no fresh proof for sensitive changes; for front ends and scripts of the predecessor. */
  compatibility: flag(false),
  /** How long the audit trail is kept; 0 keeps none. */
  activityDays: count(90),
  /** Not in the API: it contains a secret. An empty host means Google's. */
  recaptcha: z._default(z.nullable(z.object({ host: text(''), key: text(''), secret: text('') })), null),
})
export type Settings = z.infer<typeof Settings>

/**
 * Whether visitors may create accounts. Only if people sign in with our own passwords: otherwise somebody could take the name of a person whom the
 * proxy or the hook will assert later.
 */
export function mayPeopleSignUp({ signup, authMethod }: Settings): boolean {
  return signup && authMethod === 'json'
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

/** The author of a change, for the audit trail. */
export interface ChangedBy {
  readonly id: number
  readonly name: string
  readonly address: string | null
}
