import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Permissions, Rule, Sorting, ViewMode } from './users.ts'

export const Theme = z.enum(['', 'light', 'dark', 'system'])
export type Theme = z.infer<typeof Theme>

export const Branding = z.object({
  name: z._default(z.string(), ''),
  disableExternal: z._default(z.boolean(), false),
  disableUsedPercentage: z._default(z.boolean(), false),
  files: z._default(z.string(), ''),
  theme: z._default(Theme, ''),
  color: z._default(z.string(), ''),
})
export type Branding = z.infer<typeof Branding>

/** Who must have a second factor. */
export const SecondFactorFor = z.enum(['nobody', 'administrators', 'everybody'])
export type SecondFactorFor = z.infer<typeof SecondFactorFor>

/** Defaults of new accounts; like a user, without name and password. */
export const UserDefaults = z.object({
  scope: z._default(z.string(), '.'),
  locale: z._default(z.string(), ''),
  viewMode: z._default(ViewMode, 'mosaic'),
  singleClick: z._default(z.boolean(), false),
  redirectAfterCopyMove: z._default(z.boolean(), false),
  sorting: z._default(Sorting, { by: 'name', asc: false }),
  perm: Permissions,
  commands: z._default(z.array(z.string()), []),
  hideDotfiles: z._default(z.boolean(), false),
  dateFormat: z._default(z.boolean(), false),
  aceEditorTheme: z._default(z.string(), ''),
})
export type UserDefaults = z.infer<typeof UserDefaults>

/** Commands for the ten events, before and after each operation; absent events have none. */
export const HookCommands = z.record(z.string(), z.array(z.string()))

/** Everything that an administrator may set over HTTP; absent fields get their zero value, as existing clients expect. */
export const Settings = z.object({
  signup: z._default(z.boolean(), false),
  hideLoginButton: z._default(z.boolean(), true),
  createUserDir: z._default(z.boolean(), false),
  minimumPasswordLength: z._default(z.number(), 12),
  userHomeBasePath: z._default(z.string(), '/users'),
  defaults: UserDefaults,
  /** Read only. */
  authMethod: z._default(z.string(), 'json'),
  rules: z._default(z.nullable(z.array(Rule)), []),
  branding: z.prefault(Branding, {}),
  tus: z._default(z.object({ chunkSize: z.number(), retryCount: z.number() }), { chunkSize: 10 * 1024 * 1024, retryCount: 5 }),
  shell: z._default(z.nullable(z.array(z.string())), []),
  commands: z._default(z.nullable(HookCommands), {}),
  /** How many days the audit trail is kept; 0 keeps none. If absent, it is unchanged. */
  activityDays: z.optional(z.number()),
  /** Whether the audit trail keeps the addresses of clients; if not, stored ones are erased. If absent, it is unchanged. */
  activityAddresses: z.optional(z.boolean()),
  /**
   * How many days deleted files can be restored, 0 to 3650. With 0 there is no trash: files are deleted at once, and what is in the trash is removed for
   * good. If absent, it is unchanged.
   */
  trashDays: z.optional(z.number()),
  /** How many percent of a disk its trash may take, 1 to 100; beyond that, and when it is nearly full, the oldest entries are removed. If absent, it is unchanged. */
  trashShare: z.optional(z.number()),
  /**
   * How many days earlier contents of files are kept, 0 to 3650. With 0 there are no versions: replaced content is gone at once, and existing versions are
   * removed. If absent, it is unchanged.
   */
  versionDays: z.optional(z.number()),
  /** How many percent of a disk versions may take, 1 to 100; beyond that the oldest are removed. If absent, it is unchanged. */
  versionShare: z.optional(z.number()),
  /** Whether clients other than our web application need no fresh proof for sensitive changes. If absent, it is unchanged. */
  compatibility: z.optional(z.boolean()),
  /** Whether programs reach files by WebDAV. If absent, it is unchanged. */
  webdav: z.optional(z.boolean()),
  /** Who must have a second factor; who has none sets one up at the next sign-in before anything else. If absent, it is unchanged. */
  secondFactorFor: z.optional(SecondFactorFor),
})
export type Settings = z.infer<typeof Settings>

/** The defaults as clients send them: an absent right is not granted, and an empty view or order is the default. */
const DefaultsChange = z.extend(UserDefaults, {
  perm: z.partial(Permissions),
  viewMode: z._default(z.enum(['', 'list', 'mosaic', 'mosaic gallery']), ''),
  sorting: z._default(z.object({ by: z.enum(['', 'name', 'size', 'modified']), asc: z.boolean() }), { by: '', asc: false }),
  commands: z._default(z.nullable(z.array(z.string())), []),
})

/** The whole object, with the caller's own password as a proof if a sensitive part changes. */
export const SettingsChange = z.extend(Settings, { defaults: DefaultsChange, current_password: z.optional(z.string()) })
export type SettingsChange = z.infer<typeof SettingsChange>

export const settings = {
  get: endpoint('admin', 'GET /api/settings', { result: Settings }),
  update: endpoint('admin', 'PUT /api/settings', { body: SettingsChange }),
}
