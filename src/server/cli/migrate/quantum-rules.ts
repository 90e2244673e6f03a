import type { Rule } from '../../../shared/contract/users.ts'
import { type FilePath, parentOf, parseFilePath, pathFrom, ROOT } from '../../../shared/file-path.ts'
import { isRecord, recordOr } from '../records.ts'

/** Rules of one source. */
export interface QuantumRules {
  /** As stored, by path. */
  readonly byPath: Readonly<Record<string, unknown>>
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether everything is denied that no rule allows. */
  readonly denyByDefault: boolean
}

/**
 * What the rules of a source mean for one account, as rules relative to its scope. Quantum asks the rules from a path upwards: the first that names
 * the account or a group of it decides; otherwise one that denies everybody, and then the default of the source. That is the same for all paths below
 * one rule and above the next, so one rule here for each of there is enough.
 */
export function rulesFor(
  { byPath, groups, denyByDefault }: QuantumRules,
  { username, scope }: { username: string; scope: FilePath },
): Rule[] {
  const stored = new Map(Object.entries(byPath).map(([path, rule]) => [pathOf(path), recordOr(rule)]))

  function upwards(path: FilePath): Readonly<Record<string, unknown>>[] {
    const here = stored.get(path)
    return [...(here === undefined ? [] : [here]), ...(path === ROOT ? [] : upwards(parentOf(path)))]
  }

  function names(list: unknown): boolean {
    const { Users, Groups } = recordOr(list)
    const isMember = (group: string): boolean => groups.get(group)?.has(username) === true
    return Object.hasOwn(recordOr(Users), username) || Object.keys(recordOr(Groups)).some(isMember)
  }

  function isAllowed(path: FilePath): boolean {
    const rules = upwards(path)
    const own = rules.find(({ Deny, Allow }) => names(Deny) || names(Allow))
    if (own !== undefined) return !names(own.Deny)
    return !rules.some(({ denyAll }) => denyAll === true) && !denyByDefault
  }

  const inside = [...stored.keys()].filter((path) => path !== scope && pathFrom(scope, path) !== null)
  const shallowFirst = inside.toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  return [scope, ...shallowFirst].flatMap((path) => {
    const above = path === scope || isAllowed(parentOf(path))
    const here = isAllowed(path)
    return here === above ? [] : [{ regex: false, allow: here, path: pathFrom(scope, path) ?? ROOT, regexp: null }]
  })
}

/** Whether any rule decides by group. */
export function usesGroups({ byPath }: QuantumRules): boolean {
  return Object.values(byPath)
    .filter(isRecord)
    .some((rule) => [rule.Deny, rule.Allow].some((list) => Object.keys(recordOr(recordOr(list).Groups)).length > 0))
}

/** Folders and files alike are stored with a slash at the end. */
export function pathOf(stored: string): FilePath {
  return parseFilePath(`/${stored.replace(/^\/+|\/+$/g, '')}`)
}
