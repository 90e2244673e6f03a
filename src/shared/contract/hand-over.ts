import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const Id = z.number().check(z.int(), z.positive(), z.maximum(2 ** 31 - 1))

/** What becomes of what somebody leaves. */
export const HandOverChoice = z.strictObject({
  /** Id of the account that gets it. */
  to: Id,
  /** The files of the home folder: into a new folder of the successor, or nowhere. */
  files: z.enum(['move', 'stay']),
  /** Name of the new folder; a number is added if it is taken. Empty for `From NAME (DATE)`. */
  folder: z._default(z.string().check(z.maxLength(255)), ''),
  /** Links, and shares with people: the successor becomes their owner, with their addresses and passwords, or they end. */
  shares: z.enum(['pass', 'end']),
  /** Those that the successor could not have made. Kept ones open again if the account is enabled; without an account they end. */
  rest: z.enum(['end', 'keep']),
  /** The account, in the end. It is disabled first in any case. */
  account: z.enum(['disable', 'delete']),
})
export type HandOverChoice = z.infer<typeof HandOverChoice>

/** `shared`: the folder, or one in it, is that of other accounts too, so that nothing is moved. */
export const HOME_STATES = ['own', 'shared', 'missing'] as const
export type HomeState = (typeof HOME_STATES)[number]

/**
 * Why a link or share does not pass. `no-right`: the successor could give less, or it opens nothing today; `shows-more`: it would show what it does not
 * show today; `theirs`: it is for the successor.
 */
export const SHARE_OBSTACLES = ['out-of-reach', 'hidden', 'no-right', 'shows-more', 'theirs'] as const
export type ShareObstacle = (typeof SHARE_OBSTACLES)[number]

/** A link, or a share with a person or a group, that somebody gave. */
export const GivenShare = z.object({
  kind: z.enum(['link', 'user', 'group']),
  /** From the root of the served folder. */
  path: z.string(),
  /** Title of a link, or whom it is shared with. */
  name: z.string(),
  /** Null if it passes; without a successor nothing is known. */
  obstacle: z.nullable(z.enum(SHARE_OBSTACLES)),
})
export type GivenShare = z.infer<typeof GivenShare>

/** What forbids handing over to this account: it is disabled, has no folder, has no room, or a rule hides the new folder from it. */
export const HAND_OVER_PROBLEMS = ['disabled', 'no-folder', 'no-room', 'hidden'] as const
export type HandOverProblem = (typeof HAND_OVER_PROBLEMS)[number]

export const HAND_OVER_STATES = ['waiting', 'running', 'done', 'failed'] as const

/** A hand-over that has begun. It goes on after a restart. */
export const HandOver = z.object({
  id: z.string(),
  to: z.object({ id: z.number(), name: z.string() }),
  /** Who asked for it; empty at the command line. */
  by: z.string(),
  state: z.enum(HAND_OVER_STATES),
  step: z.enum(['files', 'shares', 'account', 'end']),
  /** The new folder, from the root of the served folder; null if nothing was moved. */
  folder: z.nullable(z.string()),
  /** Bytes copied to another disk, and how many there are; 0 where a rename was enough. */
  done: z.number(),
  total: z.number(),
  /** Links and shares that passed, ended and stay, in numbers. */
  passed: z.number(),
  ended: z.number(),
  kept: z.number(),
  /** Code of the error of a failed one. */
  error: z.nullable(z.string()),
  /** The gesture, which `operations.undo` takes back. */
  group: z.string(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  endedAt: z.nullable(z.number()),
})
export type HandOver = z.infer<typeof HandOver>

export const Belongings = z.object({
  home: z.object({
    /** From the root of the served folder. */
    path: z.string(),
    state: z.enum(HOME_STATES),
    /** Files and folders, and bytes; at least so many if not everything could be counted in a few seconds. */
    files: z.number(),
    bytes: z.number(),
    isCounted: z.boolean(),
    /** Of these, how many will be hidden from the successor, and how many are hidden from the leaver and will not be. */
    hidden: z.number(),
    revealed: z.number(),
  }),
  /** The new folder, from the root of the served folder; null without a successor, and if nothing can be moved. */
  folder: z.nullable(z.string()),
  problems: z.array(z.enum(HAND_OVER_PROBLEMS)),
  /** The first of them; `given` counts all, `passing` those that pass. */
  shares: z.array(GivenShare),
  given: z.number(),
  passing: z.number(),
  /** In numbers. */
  received: z.number(),
  roles: z.number(),
  tokens: z.number(),
  sessions: z.number(),
  devices: z.number(),
  /** What they deleted and can be restored. */
  trash: z.object({ count: z.number(), bytes: z.number() }),
  /** Earlier contents of files in the home folder, which stay with the files. */
  versions: z.number(),
  /** Names of groups. */
  groups: z.array(z.string()),
  /** Limits; null for none. */
  quota: z.object({ bytes: z.nullable(z.number()), files: z.nullable(z.number()) }),
})
export type Belongings = z.infer<typeof Belongings>

/** When somebody leaves, for administrators. */
export const handOver = {
  /** What there is, and what would become of it if it is handed over to `to`. Changes nothing. */
  preview: endpoint('admin', 'GET /api/users/:id/belongings', {
    query: z.object({
      to: z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/))),
      folder: z.optional(z.string().check(z.maxLength(255))),
    }),
    result: Belongings,
  }),
  /**
   * Disables the account, which ends its sessions and tokens, and then hands over. Not one's own account, and with `busy` while the last one goes on.
   * One that failed can be begun again: what has been done is done.
   */
  start: endpoint('admin', 'POST /api/users/:id/hand-over', {
    body: z.extend(HandOverChoice, { current_password: z.optional(z.string()) }),
    result: HandOver,
  }),
  /** The last one of this account. */
  state: endpoint('admin', 'GET /api/users/:id/hand-over', { result: z.object({ last: z.nullable(HandOver) }) }),
}
