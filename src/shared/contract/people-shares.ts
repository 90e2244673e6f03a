import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What a share can let its recipients do, the weakest first; as on folders, but nobody shares what is shared with them. */
export const SHARE_ROLES = ['viewer', 'contributor', 'editor'] as const
export const ShareRole = z.enum(SHARE_ROLES)
export type ShareRole = z.infer<typeof ShareRole>

/** A person or a group. */
export const Recipient = z.object({ kind: z.enum(['user', 'group']), id: z.number().check(z.int(), z.positive(), z.maximum(2 ** 31 - 1)) })
export type Recipient = z.infer<typeof Recipient>

export const NamedRecipient = z.extend(Recipient, { name: z.string() })
export type NamedRecipient = z.infer<typeof NamedRecipient>

/** A share as its owner and administrators see it. */
export const PeopleShare = z.object({
  id: z.string(),
  /** The shared path, as its owner sees it today; for a folder, it ends with a slash. */
  path: z.string(),
  owner: z.object({ id: z.number(), name: z.string() }),
  who: NamedRecipient,
  role: ShareRole,
  /** Seconds since 1970; 0 for a share without end. */
  expire: z.number(),
  message: z.string(),
  /** Milliseconds since 1970. */
  created: z.number(),
  /** Opens nothing, because what was shared is not at its path any more, or is in the trash. */
  broken: z.boolean(),
})
export type PeopleShare = z.infer<typeof PeopleShare>

/** A share as its recipient sees it: nothing about where it is in its owner's tree. */
export const ReceivedShare = z.object({
  /** The share is a server of its own below `/with-me/ID`: `/with-me/ID/api/resources/` is the shared folder. */
  id: z.string(),
  /** Of the shared node; empty if it is its owner's whole tree. */
  name: z.string(),
  folder: z.boolean(),
  owner: z.string(),
  /** The group it was shared with; empty if it was shared with the caller. */
  group: z.string(),
  role: ShareRole,
  expire: z.number(),
  message: z.string(),
  created: z.number(),
})
export type ReceivedShare = z.infer<typeof ReceivedShare>

const terms = {
  role: z.optional(ShareRole),
  /** Seconds since 1970; 0 for no end. */
  expire: z.optional(z.number().check(z.int(), z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER))),
  message: z.optional(z.string().check(z.maxLength(1000))),
}

export const PeopleShareChange = z.strictObject(terms).check(z.refine((change) => Object.keys(change).length > 0, 'nothing to change'))
export type PeopleShareChange = z.infer<typeof PeopleShareChange>

export const PeopleShareInput = z.strictObject({ ...terms, who: Recipient, role: ShareRole })
export type PeopleShareInput = z.infer<typeof PeopleShareInput>

/** How many accounts and groups a search names at most. */
export const MOST_RECIPIENTS_FOUND = 10

/** Shares with people and groups. */
export const peopleShares = {
  /** The caller's own, for an administrator everybody's. */
  mine: endpoint('user', 'GET /api/people-shares', { needs: ['share'], result: z.array(PeopleShare) }),
  /** Of one node; for an administrator those of all owners. */
  ofPath: endpoint('user', 'GET /api/people-share/*path', { needs: ['share'], result: z.array(PeopleShare) }),
  /** Again with the same recipient, it changes the share that exists. */
  create: endpoint('user', 'POST /api/people-share/*path', { needs: ['share'], body: PeopleShareInput, result: PeopleShare }),
  /** Absent fields are kept. */
  change: endpoint('user', 'PATCH /api/people-shares/:id', { needs: ['share'], body: PeopleShareChange, result: PeopleShare }),
  /** By its owner, an administrator, or the person it was shared with. */
  remove: endpoint('user', 'DELETE /api/people-shares/:id', { result: 'empty' }),
  /** What others share with the caller and can be opened now, the newest first. */
  received: endpoint('user', 'GET /api/with-me', { result: z.array(ReceivedShare) }),
  /**
   * Accounts whose name begins with `text`, of at least two letters, or is exactly that; and such groups, for people only those they are in; at
   * most `MOST_RECIPIENTS_FOUND`. Names only: never a mail address.
   */
  find: endpoint('user', 'GET /api/recipients', {
    needs: ['share'],
    query: z.object({ text: z.string().check(z.minLength(1), z.maxLength(100)) }),
    result: z.array(NamedRecipient),
  }),
}
