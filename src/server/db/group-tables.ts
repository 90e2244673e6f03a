import type { Generated } from 'kysely'

export interface GroupsTable {
  id: Generated<number>
  name: string
  /** As that of a user: two groups may not differ only in spelling. */
  name_key: string
  /** Of two groups of one person, the later one decides. */
  position: number
  /** Rights that members have besides their own. */
  perm: string
  rules: string
  /** Who manages it: `ours`, or a directory. */
  source: string
  created_at: number
}

export interface MembershipsTable {
  group_id: number
  user_id: number
  /** Who added them: `ours`, or a directory. */
  source: string
}

/** Rights for a folder instead of those of the account; see `shared/contract/rights.ts`. */
export interface GrantsTable {
  id: string
  /** `everybody`, `group 7` or `user 7`. */
  subject: string
  regex: number
  /** From the storage's root, in Unicode NFC; the pattern of a `regex`. */
  path: string
  rights: string
}
