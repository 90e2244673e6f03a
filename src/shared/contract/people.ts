import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Which accounts a list shows. `waiting`: nobody has chosen a password yet. */
export const PEOPLE_FILTERS = ['administrators', 'disabled', 'waiting', 'no-second-factor'] as const
export type PeopleFilter = (typeof PEOPLE_FILTERS)[number]

/** An account in the list of administrators. */
export const Person = z.object({
  id: z.number(),
  username: z.string(),
  admin: z.boolean(),
  disabled: z.boolean(),
  secondFactor: z.boolean(),
  scope: z.string(),
  /** For mail; empty if there is none. */
  address: z.string(),
  /** Names, in the order of the groups. */
  groups: z.array(z.string()),
  /** When a session that has not ended was last used, in milliseconds since 1970. */
  lastSeen: z.nullable(z.number()),
})
export type Person = z.infer<typeof Person>

const Id = z.number().check(z.int(), z.positive(), z.maximum(2 ** 31 - 1))

/** At most so many accounts are changed by one call. */
export const MOST_CHANGED_AT_ONCE = 500
/** At most so many lines of a list of new accounts are read by one call. */
export const MOST_IMPORTED_AT_ONCE = 100

/** One change for many accounts. */
export const PeopleAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('disable') }),
  z.strictObject({ action: z.literal('enable') }),
  z.strictObject({ action: z.literal('join'), group: Id }),
  z.strictObject({ action: z.literal('leave'), group: Id }),
  z.strictObject({ action: z.literal('delete') }),
])
export type PeopleAction = z.infer<typeof PeopleAction>

const short = z.string().check(z.maxLength(4096))

/** A line of a list of new accounts. What is empty or absent is as the form of a new user proposes it: the folder is the person's own. */
export const NewPerson = z.strictObject({
  username: short,
  address: z._default(short, ''),
  scope: z._default(short, ''),
  /** Names of groups that exist. */
  groups: z._default(z.array(short).check(z.maxLength(100)), []),
  /** What may lie in the folder, as `500 MB`; a number alone counts gigabytes. */
  quota: z._default(short, ''),
  /** How many files and folders may lie there. */
  files: z._default(short, ''),
})
export type NewPerson = z.input<typeof NewPerson>

/** `new`: it can be made; `made`; `exists`: there is an account of that name, which is left alone; `refused`, with reasons. */
export const ImportedPerson = z.object({
  state: z.enum(['new', 'made', 'exists', 'refused']),
  issues: z.array(z.string()),
  /** The folder that the person reaches; null if the line is refused. */
  scope: z.nullable(z.string()),
  id: z.nullable(z.number()),
  /** Of a link by which the person chooses a password. */
  secret: z.nullable(z.string()),
  /** Where the link was sent. */
  mailedTo: z.nullable(z.string()),
})
export type ImportedPerson = z.infer<typeof ImportedPerson>

const proof = { current_password: z.optional(z.string()) }

const Matching = z.object({
  text: z.optional(z.string()),
  only: z.optional(z.enum(PEOPLE_FILTERS)),
  group: z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/))),
})

/** Many accounts at once, for administrators. */
export const people = {
  /** By name, a hundred at a time; `after` is the `next` of the page before. `text` is part of the name, the folder or the address. */
  list: endpoint('admin', 'GET /api/people', {
    query: z.extend(Matching, { after: z.optional(z.string()) }),
    /** `found`: how many match; `all`: how many accounts there are. */
    result: z.object({ people: z.array(Person), found: z.number(), all: z.number(), next: z.nullable(z.string()) }),
  }),
  /** Everybody who matches, to change them together. */
  ids: endpoint('admin', 'GET /api/people/ids', { query: Matching, result: z.object({ ids: z.array(z.number()) }) }),
  /** Each account by itself: those that are refused do not keep the others from changing. */
  change: endpoint('admin', 'POST /api/people/change', {
    body: z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(MOST_CHANGED_AT_ONCE)), change: PeopleAction, ...proof }),
    /** `error` is the code of an error: `not-found`, or `forbidden` for the last administrator. */
    result: z.object({ changed: z.array(z.number()), refused: z.array(z.object({ id: z.number(), error: z.string() })) }),
  }),
  /** New accounts without a password. With `preview` nothing is changed. With `mail`, those with an address are sent their link. */
  import: endpoint('admin', 'POST /api/people/import', {
    body: z.strictObject({
      people: z.array(NewPerson).check(z.minLength(1), z.maxLength(MOST_IMPORTED_AT_ONCE)),
      preview: z.boolean(),
      mail: z._default(z.boolean(), false),
      ...proof,
    }),
    /** In the order of the lines. */
    result: z.object({ people: z.array(ImportedPerson) }),
  }),
}
