import * as z from 'zod/mini'

/** Rights that a role on a folder can give, in the order of responses. Administration and execution belong to accounts and groups only. */
export const FILE_RIGHTS = ['create', 'rename', 'modify', 'delete', 'share', 'download'] as const
export type FileRight = (typeof FILE_RIGHTS)[number]

export const FileRights = z.array(z.enum(FILE_RIGHTS))

/** Named sets of rights, the weakest first. */
export const ROLES = {
  viewer: ['download'],
  contributor: ['create', 'download'],
  editor: ['create', 'rename', 'modify', 'delete', 'download'],
  manager: ['create', 'rename', 'modify', 'delete', 'share', 'download'],
} as const satisfies Record<string, readonly FileRight[]>
export type Role = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as Role[]

/** The role that consists of exactly these rights; null if none does. */
export function roleOf(rights: readonly FileRight[]): Role | null {
  const asked = new Set(rights)
  return ROLE_NAMES.find((name) => ROLES[name].length === asked.size && ROLES[name].every((right) => asked.has(right))) ?? null
}

/**
 * Rights for what a path (with everything below it) or a pattern matches, instead of those of the account. It shows nothing that a rule hides, and
 * hides nothing: a grant without rights lets somebody look at names.
 */
export const Grant = z.object({
  regex: z._default(z.boolean(), false),
  /** Relative to the scope; the pattern of a `regex`. */
  path: z.string(),
  rights: FileRights,
})
export type Grant = z.infer<typeof Grant>
