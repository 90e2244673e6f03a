import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Permissions = z.object({
  admin: z.boolean(),
  execute: z.boolean(),
  create: z.boolean(),
  rename: z.boolean(),
  modify: z.boolean(),
  delete: z.boolean(),
  share: z.boolean(),
  download: z.boolean(),
})
export type Permissions = z.infer<typeof Permissions>

export const Sorting = z.object({ by: z.enum(['name', 'size', 'modified']), asc: z.boolean() })
export type Sorting = z.infer<typeof Sorting>

export const Rule = z.object({
  regex: z._default(z.boolean(), false),
  allow: z._default(z.boolean(), true),
  path: z._default(z.string(), ''),
  regexp: z._default(z.nullable(z.object({ raw: z.string() })), null),
})
export type Rule = z.infer<typeof Rule>

export const ViewMode = z.enum(['list', 'mosaic'])
export type ViewMode = z.infer<typeof ViewMode>

/** A user in the API; `password` is always empty in responses. */
export const User = z.object({
  id: z.number(),
  username: z.string(),
  password: z.string(),
  scope: z.string(),
  locale: z.string(),
  lockPassword: z.boolean(),
  viewMode: ViewMode,
  singleClick: z.boolean(),
  redirectAfterCopyMove: z.boolean(),
  perm: Permissions,
  commands: z.array(z.string()),
  sorting: Sorting,
  rules: z.array(Rule),
  hideDotfiles: z.boolean(),
  dateFormat: z.boolean(),
  aceEditorTheme: z.string(),
  /** Disabled: nobody can sign in, every session has ended. */
  disabled: z._default(z.boolean(), false),
  /** Whether the account does not reach files by WebDAV; by default it does. */
  webdavDisabled: z.optional(z.boolean()),
  /** Whether a second factor is set up; read only. */
  secondFactor: z.optional(z.boolean()),
})
export type User = z.infer<typeof User>

/** Fields that users may change in their own record. */
export const OwnFields = z.object({
  locale: z.optional(z.string()),
  hideDotfiles: z.optional(z.boolean()),
  singleClick: z.optional(z.boolean()),
  sorting: z.optional(Sorting),
  viewMode: z.optional(ViewMode),
  redirectAfterCopyMove: z.optional(z.boolean()),
  dateFormat: z.optional(z.boolean()),
  aceEditorTheme: z.optional(z.string()),
})
export type OwnFields = z.infer<typeof OwnFields>

export const UserChange = z.object({
  what: z.string(),
  which: z._default(z.array(z.string()), []),
  data: z.record(z.string(), z.unknown()),
  current_password: z.optional(z.string()),
})
export type UserChange = z.infer<typeof UserChange>

/**
 * `replaces_printed`: the password is to replace the one that the first start printed, and nothing else. If that has been replaced already, the call
 * fails with 409, `own-password-chosen`.
 */
const AccountChange = z.extend(UserChange, { replaces_printed: z.optional(z.boolean()) })

/** `without_password`: nobody can sign in until a link was used to choose one (`POST /api/users/:id/password-link`). */
const NewUser = z.extend(UserChange, { without_password: z.optional(z.boolean()) })

/** The body of DELETE: the caller's own password as a proof. */
export const Proof = z.object({ current_password: z.optional(z.string()) })

/** What the first administrator is offered after choosing a password, in this order. */
export const WelcomeStep = z.enum(['language', 'name', 'person', 'link'])
export type WelcomeStep = z.infer<typeof WelcomeStep>

/** In a user's own record, and in the claims of their token. */
export const FirstMinute = z.object({
  /** The password is the one that the first start printed: until it is changed, no other call is served (403, `own-password-needed`). */
  mustChangePassword: z.optional(z.boolean()),
  /** A second factor is required and not set up: until it is, no other call is served (403, `second-factor-setup-needed`). */
  mustSetUpFactor: z.optional(z.boolean()),
  /** Steps that were neither taken nor skipped. */
  welcome: z.optional(z.array(WelcomeStep)),
})
export type FirstMinute = z.infer<typeof FirstMinute>

const OwnUser = z.extend(User, FirstMinute.shape)

export const users = {
  list: endpoint('admin', 'GET /api/users', { result: z.array(User) }),
  /** 201 with the address of the new record in `Location`, without base URL. */
  create: endpoint('admin', 'POST /api/users', { body: NewUser }),
  get: endpoint('user', 'GET /api/users/:id', { beforeOwnPassword: true, beforeSecondFactor: true, result: OwnUser }),
  update: endpoint('user', 'PUT /api/users/:id', { beforeOwnPassword: true, body: AccountChange }),
  /** Steps that were taken or skipped; they are not offered again. */
  welcomed: endpoint('user', 'POST /api/welcome', { body: z.object({ done: z.array(WelcomeStep) }) }),
  /** The body may be absent (2.17) or contain a proof (2.63). */
  remove: endpoint('admin', 'DELETE /api/users/:id', { body: 'bytes' }),
}
