import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FileRights, Grant } from './rights.ts'
import { Permissions, Rule } from './users.ts'

/** Who manages a group or a membership. */
export const GROUP_SOURCES = ['ours'] as const

export const Group = z.object({
  id: z.number(),
  name: z.string(),
  /** Of two groups of one person, the later one decides. */
  position: z.number(),
  /** Rights that members have besides their own. */
  perm: Permissions,
  /** What members see, after everybody's rules and before their own. */
  rules: z.array(Rule),
  source: z.string(),
  /** How many. */
  members: z.number(),
})
export type Group = z.infer<typeof Group>

/** The caller's own password, as a proof: all changes here are sensitive. */
const proof = { current_password: z.optional(z.string()) }

/** Absent fields are kept. `position`: where it stands among all groups, from 0. */
const GroupChange = z.strictObject({
  name: z.optional(z.string()),
  perm: z.optional(Permissions),
  rules: z.optional(z.array(Rule)),
  position: z.optional(z.number().check(z.int(), z.nonnegative())),
  ...proof,
})
export type GroupChange = z.infer<typeof GroupChange>

export const GroupMember = z.object({ id: z.number(), username: z.string(), source: z.string() })
export type GroupMember = z.infer<typeof GroupMember>

const GroupName = z.object({ id: z.number(), name: z.string(), source: z.string() })

export const groups = {
  /** In their order. */
  list: endpoint('admin', 'GET /api/groups', { result: z.array(Group) }),
  create: endpoint('admin', 'POST /api/groups', { body: z.extend(GroupChange, { name: z.string() }), result: Group }),
  change: endpoint('admin', 'PUT /api/groups/:id', { body: GroupChange, result: Group }),
  /** With its memberships and grants. */
  remove: endpoint('admin', 'DELETE /api/groups/:id', { body: z.strictObject(proof), result: 'empty' }),
  /** By name, a hundred at a time; `after` is the `next` of the page before. `text` is a part of the name. */
  members: endpoint('admin', 'GET /api/groups/:id/members', {
    query: z.object({ text: z.optional(z.string()), after: z.optional(z.string()) }),
    result: z.object({ members: z.array(GroupMember), next: z.nullable(z.string()) }),
  }),
  /** One person at a time: nobody replaces a list that somebody else has changed. */
  addMember: endpoint('admin', 'PUT /api/groups/:id/members/:user', { body: z.strictObject(proof), result: 'empty' }),
  removeMember: endpoint('admin', 'DELETE /api/groups/:id/members/:user', { body: z.strictObject(proof), result: 'empty' }),
  ofUser: endpoint('admin', 'GET /api/users/:id/groups', { result: z.array(GroupName) }),
}

/** `everybody` (the id is 0), a group or a person. */
export const Subject = z.object({ kind: z.enum(['everybody', 'group', 'user']), id: z.number() })
export type Subject = z.infer<typeof Subject>

const subjectQuery = z.object({ kind: Subject.shape.kind, id: z._default(z.string().check(z.regex(/^\d{1,10}$/)), '0') })

/** Grants of one subject. Paths are from the root of the served folder, whatever anybody's own folder is. */
export const grants = {
  /** In the order in which the last match decides: a folder before what is in it, then patterns. */
  list: endpoint('admin', 'GET /api/grants', { query: subjectQuery, result: z.array(Grant) }),
  /** Adds one, or changes the one for the same path; `rights: null` removes it. */
  set: endpoint('admin', 'PUT /api/grants', {
    body: z.object({ who: Subject, regex: z._default(z.boolean(), false), path: z.string(), rights: z.nullable(FileRights), ...proof }),
    result: 'empty',
  }),
}

export const AccessEntry = z.object({
  who: z.extend(Subject, { name: z.string() }),
  rights: FileRights,
  /** The folder that gives it, as the caller sees it: this one, or one above. Null if that is above the caller's own folder. */
  from: z.nullable(z.string()),
})
export type AccessEntry = z.infer<typeof AccessEntry>

/** A folder's or a file's grants, for administrators. */
export const access = {
  /** Everybody first, then groups in their order, then people by name. Of each one the entry that decides here, and with `from` above also those of this node. */
  get: endpoint('admin', 'GET /api/access/*path', { result: z.object({ entries: z.array(AccessEntry) }) }),
  /** `rights: null` takes the entry of this node away; what comes from above stays. */
  set: endpoint('admin', 'PUT /api/access/*path', {
    body: z.object({ who: Subject, rights: z.nullable(FileRights), ...proof }),
    result: 'empty',
  }),
}
