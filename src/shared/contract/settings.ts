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

/** What a new account starts with; the same form as a user's, without name and password. */
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

/** The ten events, before and after each deed; those not named have no commands. */
export const HookCommands = z.record(z.string(), z.array(z.string()))

/** Everything an administrator may set over HTTP; what is not named gets its zero value, as existing clients expect. */
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
  /** How many days the trail of sign-ins and administration is kept; 0 keeps none. What does not name it leaves it as it is. */
  activityDays: z.optional(z.number()),
  /** Whether clients other than our web need no fresh proof for sensitive changes. What does not name it leaves it as it is. */
  compatibility: z.optional(z.boolean()),
})
export type Settings = z.infer<typeof Settings>

/** The defaults as clients send them: a right not named is not given, and an empty view or order is the product's own. */
const DefaultsChange = z.extend(UserDefaults, {
  perm: z.partial(Permissions),
  viewMode: z._default(z.enum(['', 'list', 'mosaic', 'mosaic gallery']), ''),
  sorting: z._default(z.object({ by: z.enum(['', 'name', 'size', 'modified']), asc: z.boolean() }), { by: '', asc: false }),
  commands: z._default(z.nullable(z.array(z.string())), []),
})

/** The whole object, with the caller's own password as a proof where a sensitive part changes. */
export const SettingsChange = z.extend(Settings, { defaults: DefaultsChange, current_password: z.optional(z.string()) })
export type SettingsChange = z.infer<typeof SettingsChange>

export const settings = {
  get: endpoint({ by: 'admin', needs: [], method: 'GET', path: '/api/settings', result: Settings }),
  update: endpoint({ by: 'admin', needs: [], method: 'PUT', path: '/api/settings', body: SettingsChange, result: 'response' }),
}
