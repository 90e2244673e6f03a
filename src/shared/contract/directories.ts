import * as z from 'zod/mini'
import { PROVIDER_ID } from '../provider-id.ts'
import { endpoint } from './endpoint.ts'
import { SignInProblem } from './providers.ts'

const Id = z.string().check(z.maxLength(40), z.regex(PROVIDER_ID))
const short = z.string().check(z.maxLength(200))
const name = z.string().check(z.maxLength(1000))
const dns = z.array(name).check(z.maxLength(100))
const attribute = z.string().check(z.maxLength(100), z.regex(/^(?:[A-Za-z][A-Za-z0-9-]*)?$/))

/** Attributes that identify an entry for as long as it exists, whatever happens to its name. */
export const ID_ATTRIBUTES = ['entryUUID', 'objectGUID', 'nsUniqueId', 'ipaUniqueID', 'GUID'] as const

/**
 * How the groups of a person are found: `none`; `memberOf`: an attribute of the person; `member`: by a search for groups that have the person as a
 * member; `chain`: the same in Active Directory, which follows nested groups itself.
 */
export const GROUP_WAYS = ['none', 'memberOf', 'member', 'chain'] as const

/** An LDAP directory, without its password. */
export const DirectoryFields = z.object({
  /** For administrators, and in the profile. */
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  enabled: z._default(z.boolean(), true),
  /** `ldap://` or `ldaps://`, tried in this order. */
  urls: z.array(short).check(z.minLength(1), z.maxLength(5)),
  /** TLS on an `ldap://` address, before anything else is sent. */
  startTls: z._default(z.boolean(), false),
  /** Passwords without TLS, to a directory on this machine. */
  plaintext: z._default(z.boolean(), false),
  /** Certificates in PEM that are trusted, instead of those of the system; empty for those. */
  ca: z._default(z.string().check(z.maxLength(64 * 1024)), ''),
  /** Whose account searches the directory; empty for nobody's. */
  bindDn: z._default(name, ''),
  /** With `{login}`: the name with which people are bound without a search before. Empty to search for them. */
  bindPattern: z._default(name, ''),
  baseDn: z.string().check(z.minLength(1), z.maxLength(1000)),
  /** With `{login}` (RFC 4515). */
  userFilter: z._default(z.string().check(z.maxLength(2000)), '(&(objectClass=inetOrgPerson)(uid={login}))'),
  idAttribute: z._default(z.enum(ID_ATTRIBUTES), 'entryUUID'),
  /** From which attribute a new account gets its name. */
  usernameAttribute: z._default(attribute, 'uid'),
  /** The mail address of a new account; empty for none. */
  mailAttribute: z._default(attribute, 'mail'),
  groupWay: z._default(z.enum(GROUP_WAYS), 'member'),
  /** Below which groups are searched; empty for `baseDn`. */
  groupBaseDn: z._default(name, ''),
  groupFilter: z._default(z.string().check(z.maxLength(2000)), '(objectClass=groupOfNames)'),
  /** Of a group: the names of its members, or with `memberUid` their user names. */
  memberAttribute: z._default(attribute, 'member'),
  /** Whether the members of a group in a group are members too. */
  nested: z._default(z.boolean(), true),
  /** The distinguished names of groups. Who may sign in; everybody if there are none. */
  allow: z._default(dns, []),
  /** Who is an administrator; if there are none, the directory makes nobody one. */
  admin: z._default(dns, []),
  /** Of which groups here people become and cease to be members. */
  groups: z._default(z.array(z.object({ group: z.number().check(z.int()), values: dns })).check(z.maxLength(200)), []),
  /** Whether somebody without an account gets one. */
  create: z._default(z.boolean(), false),
  /** How often accounts are compared with the directory, in minutes; 0 for only when they sign in. */
  checkMinutes: z._default(z.number().check(z.int(), z.gte(0), z.lte(1440)), 60),
})
export type DirectoryFields = z.infer<typeof DirectoryFields>

/** What the last comparison found. Times are milliseconds since 1970. */
const LastCheck = z.object({
  at: z.number(),
  /** Empty if it went well; in English. */
  problem: z.string(),
  people: z.number(),
  /** How many lost their access. */
  ended: z.number(),
})
export type LastCheck = z.infer<typeof LastCheck>

export const Directory = z.extend(DirectoryFields, { id: Id, hasPassword: z.boolean(), lastCheck: z.nullable(LastCheck) })
export type Directory = z.infer<typeof Directory>

const fields = {
  ...DirectoryFields.shape,
  /** Of `bindDn`. Kept if it is absent, and removed if it is empty. */
  bindPassword: z.optional(z.string().check(z.maxLength(1000))),
  current_password: z.optional(z.string()),
}
const DirectoryInput = z.strictObject(fields)
export type DirectoryInput = Omit<z.input<typeof DirectoryInput>, 'current_password'>

export const DIRECTORY_STEPS = ['connect', 'tls', 'bind', 'search', 'person', 'password', 'groups', 'account'] as const

/** One step of "Try it". `detail` is in English, as the directory or our checks said it. */
const DirectoryStep = z.object({ step: z.enum(DIRECTORY_STEPS), ok: z.boolean(), detail: z.string() })
export type DirectoryStep = z.infer<typeof DirectoryStep>

export const DirectoryReport = z.object({
  steps: z.array(DirectoryStep),
  /** What was read of the person, shortened. */
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  /** `provider`: the directory did not do what was asked of it. Null if the sign-in would work, or nobody was named. */
  problem: z.nullable(SignInProblem),
})
export type DirectoryReport = z.infer<typeof DirectoryReport>

/** For administrators: directories whose people sign in with their name and password there. */
export const directories = {
  list: endpoint('admin', 'GET /api/directories', { result: z.array(Directory) }),
  create: endpoint('admin', 'POST /api/directories', {
    body: z.strictObject({ ...fields, id: Id }),
    result: z.object({ id: z.string() }),
  }),
  /** The password is needed again where it would be sent to another server, or with less protection. */
  update: endpoint('admin', 'PUT /api/directories/:id', { body: DirectoryInput, result: 'empty' }),
  /** Accounts stay, and are connected with it no more. */
  remove: endpoint('admin', 'DELETE /api/directories/:id', {
    body: z.strictObject({ current_password: z.optional(z.string()) }),
    result: 'empty',
  }),
  /**
   * Signs in step by step, and tells what each step found. Opens no session, creates no account. Without `username`, only as far as the search; without
   * `password`, the person is found but not bound. Counts as an attempt to sign in.
   */
  try: endpoint('admin', 'POST /api/directories/:id/try', {
    body: z.strictObject({
      username: z.optional(z.string().check(z.maxLength(255))),
      password: z.optional(z.string().check(z.maxLength(1024))),
    }),
    result: DirectoryReport,
  }),
  /** Compares all accounts with the directory now. Fails with `busy` if that is happening already. */
  check: endpoint('admin', 'POST /api/directories/:id/check', { result: LastCheck }),
}

/** For everybody who is signed in. */
export const directory = {
  /**
   * Connects the own account with a person of a directory, who proves that with their password there. Fails with `proof-needed`, `wrong-credentials`,
   * `too-many-requests`, `directory-away`, and `already-exists` if another account is connected with that person.
   */
  connect: endpoint('user', 'POST /api/directories/:id/connect', {
    body: z.strictObject({ username: z.string(), password: z.string(), current_password: z.optional(z.string()) }),
    result: 'empty',
    maxBodyBytes: 64 * 1024,
  }),
}
