import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Subject } from './groups.ts'
import { NamedRecipient, ShareRole } from './people-shares.ts'
import { NewPerson } from './people.ts'
import { FILE_RIGHTS, FileRights } from './rights.ts'
import { ShareRights } from './shares.ts'
import { Permissions, Rule } from './users.ts'

/** Whose rule or role it is: everybody’s, a group’s, or the person’s own. */
const Whose = z.object({ kind: z.enum(['everybody', 'group', 'user']), name: z.string() })
export type Whose = z.infer<typeof Whose>

/** Why somebody sees a file or folder, or does not. */
export const SeeingReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('disabled') }),
  /** It is not in their folder. */
  z.object({ kind: z.literal('outside'), scope: z.string() }),
  /** The last rule that matches decides; a pattern is shown as it is written. */
  z.object({ kind: z.literal('rule'), allow: z.boolean(), whose: Whose, regex: z.boolean(), rule: z.string() }),
  /** Their account hides what begins with a dot. */
  z.object({ kind: z.literal('dotfile') }),
  /** It is in their folder, and no rule is about it. */
  z.object({ kind: z.literal('scope') }),
])
export type SeeingReason = z.infer<typeof SeeingReason>

/** Where the rights come from. */
export const RightsSource = z.discriminatedUnion('kind', [
  /** `group`: the one that makes them an administrator; null if the account does. */
  z.object({ kind: z.literal('administrator'), group: z.nullable(z.string()) }),
  /** A role on this or a folder above; `path` is from the root of the served folder, or a pattern. */
  z.object({ kind: z.literal('grant'), whose: Whose, regex: z.boolean(), path: z.string() }),
  /** The account, with what its groups add. */
  z.object({ kind: z.literal('account'), groups: z.array(z.string()) }),
])
export type RightsSource = z.infer<typeof RightsSource>

/** What one person can do with a file or folder, and why. */
export const Reach = z.object({
  id: z.number(),
  username: z.string(),
  sees: z.boolean(),
  reason: SeeingReason,
  /** Empty if they do not see it. */
  rights: FileRights,
  /** Null if they do not see it. */
  source: z.nullable(RightsSource),
})
export type Reach = z.infer<typeof Reach>

/** A link to the node, or to a folder around it. */
export const ReachingLink = z.object({
  hash: z.string(),
  title: z.string(),
  owner: z.string(),
  rights: ShareRights,
  hasPassword: z.boolean(),
  /** Seconds since 1970; 0 for ever. */
  expire: z.number(),
  /** Whether it is a link to this node itself. */
  isHere: z.boolean(),
})
export type ReachingLink = z.infer<typeof ReachingLink>

/** A share of the node, or of a folder around it, with a person or a group. */
export const ReachingShare = z.object({
  id: z.string(),
  who: NamedRecipient,
  owner: z.string(),
  role: ShareRole,
  /** Seconds since 1970; 0 for ever. */
  expire: z.number(),
  /** Whether this node itself is shared. */
  isHere: z.boolean(),
})
export type ReachingShare = z.infer<typeof ReachingShare>

/** What one person may do now, and what they could do then. */
export const RoleEffect = z.object({ id: z.number(), username: z.string(), before: FileRights, after: FileRights })
export type RoleEffect = z.infer<typeof RoleEffect>

const Id = z.number().check(z.int(), z.positive(), z.maximum(2 ** 31 - 1))
const Rules = z.array(Rule)

/** A change of who may do what, which has not been made. Absent fields stay as they are. */
export const PlannedChange = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('account'),
    id: Id,
    scope: z.optional(z.string()),
    perm: z.optional(Permissions),
    rules: z.optional(Rules),
    hideDotfiles: z.optional(z.boolean()),
  }),
  z.strictObject({ what: z.literal('group'), id: Id, perm: z.optional(Permissions), rules: z.optional(Rules) }),
  z.strictObject({ what: z.literal('everybody'), rules: Rules }),
  z.strictObject({ what: z.literal('join'), group: Id, people: z.array(Id).check(z.minLength(1), z.maxLength(10_000)) }),
  z.strictObject({ what: z.literal('leave'), group: Id, people: z.array(Id).check(z.minLength(1), z.maxLength(10_000)) }),
  /** A role on a path from the root of the served folder, or by a pattern; null takes it away. */
  z.strictObject({ what: z.literal('role'), who: Subject, regex: z.boolean(), path: z.string(), rights: z.nullable(FileRights) }),
  /** New accounts, as a list of them makes them; those that cannot be made are left out. */
  z.strictObject({ what: z.literal('import'), people: z.array(NewPerson).check(z.minLength(1), z.maxLength(20_000)) }),
])
export type PlannedChange = z.infer<typeof PlannedChange>

/** `see`, and the rights on what is seen. Creating is about folders, changing content about files. */
export const REACHES = ['see', ...FILE_RIGHTS] as const
const Reaches = z.array(z.enum(REACHES))

/** What one person would have there, or would have no more. */
export const PersonEffect = z.object({
  /** Null for an account that does not exist yet. */
  id: z.nullable(z.number()),
  username: z.string(),
  /** Files and folders of which something changes for them; a symbolic link counts as a file. */
  files: z.number(),
  folders: z.number(),
  /** Of these files. */
  bytes: z.number(),
  /** What changes somewhere. */
  what: Reaches,
  /** Only those that the caller sees, with the caller's path; `what` is what changes there. */
  examples: z.array(z.object({ path: z.string(), folder: z.boolean(), what: Reaches })),
})
export type PersonEffect = z.infer<typeof PersonEffect>

/** A link or a share with people that its owner could give then, or could not any more. */
const GivenExample = z.object({
  kind: z.enum(['link', 'share']),
  owner: z.string(),
  /** The caller's path. */
  path: z.string(),
  folder: z.boolean(),
})
export type GivenExample = z.infer<typeof GivenExample>

/** Links and shares with people that open nothing without the right of their owners. */
const GivenSide = z.object({
  links: z.number(),
  shares: z.number(),
  /** The first of them; only those that the caller sees. */
  given: z.array(GivenExample),
})
export type GivenSide = z.infer<typeof GivenSide>

const EffectSide = z.extend(GivenSide, {
  /** How many people. */
  count: z.number(),
  /** The first of them, by name. */
  people: z.array(PersonEffect),
})
export type EffectSide = z.infer<typeof EffectSide>

/**
 * `stopped`: the time was over, so every number is “at least”. `unknown`: the index does not know the files (yet). `too-many-patterns`: the patterns that
 * decide about somebody are so many, or so large, that counting would keep the server from its other work; nothing was counted from there.
 */
export const Effect = z.object({
  state: z.enum(['complete', 'stopped', 'unknown', 'too-many-patterns']),
  opens: EffectSide,
  closes: EffectSide,
})
export type Effect = z.infer<typeof Effect>

/** Who reaches a file or folder, for administrators. Derived from the access with which the requests of these people are decided. */
export const explain = {
  /** By name, a hundred at a time; `after` is the `next` of the page before. `only`: those who see it, or those who do not. */
  reach: endpoint('admin', 'GET /api/explain/*path', {
    query: z.object({
      text: z.optional(z.string()),
      only: z.optional(z.enum(['reaching', 'others'])),
      after: z.optional(z.string()),
    }),
    /** `reaching`: how many of all people see it. */
    result: z.object({
      people: z.array(Reach),
      next: z.nullable(z.string()),
      reaching: z.number(),
      links: z.array(ReachingLink),
      shares: z.array(ReachingShare),
    }),
  }),
  /** What a role on this node would change there, before it is given. `rights` are separated by commas; without it, the role is taken away. */
  effect: endpoint('admin', 'GET /api/effect/*path', {
    query: z.object({
      kind: Subject.shape.kind,
      id: z._default(z.string().check(z.regex(/^\d{1,10}$/)), '0'),
      rights: z.optional(z.string().check(z.maxLength(100))),
    }),
    /** `count` people would have other rights; `examples` are up to ten of them, by name. */
    result: z.object({ count: z.number(), examples: z.array(RoleEffect) }),
  }),
  /**
   * What a change would open and close, for whom, before it is made; nothing is changed. Counted from the index in the tree of each person, without what
   * others share with them; and the links and shares with people of those whom it concerns. `people` of each side are told, each with so many `examples`.
   */
  change: endpoint('admin', 'POST /api/effect', {
    body: z.strictObject({
      change: PlannedChange,
      people: z._default(z.number().check(z.int(), z.nonnegative(), z.maximum(1000)), 5),
      examples: z._default(z.number().check(z.int(), z.nonnegative(), z.maximum(1000)), 3),
    }),
    // A long list of new people.
    maxBodyBytes: 8 * 1024 * 1024,
    result: Effect,
  }),
}
