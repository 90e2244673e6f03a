import type { FileRight, Grant } from '../../shared/contract/rights.ts'
import { FILE_RIGHTS } from '../../shared/contract/rights.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { isWithin } from '../../shared/file-path.ts'
import { createRuleLookup, type Matcher, matcherOf } from '../../shared/rules.ts'

/** The rights that grants are about. */
export type FileRightSet = Readonly<Record<FileRight, boolean>>

export function fileRightsOf(names: readonly FileRight[]): FileRightSet {
  const has = new Set(names)
  const set = { create: false, rename: false, modify: false, delete: false, share: false, download: false }
  for (const right of FILE_RIGHTS) set[right] = has.has(right)
  return set
}

/** Which grant decides: the list, and the position in it. */
export interface GrantPosition {
  readonly list: number
  readonly index: number
}

export type GrantSet = ReturnType<typeof compileGrants>

/**
 * Compiled grants. Of several lists (everybody's, those of each group by its position, a person's own) the last one with a match decides. Within a list the
 * deepest path decides, and patterns come after paths, in their order. What decides about a folder decides about everything below it, unless something
 * later matches there; patterns too. A stored pattern that is invalid gives no right to anything.
 */
export function compileGrants(lists: readonly (readonly Grant[])[]) {
  const ordered = lists.flatMap((grants, list) => positionsInOrder(grants).map((index) => ({ list, index, grant: grants[index] })))
  const all = ordered.flatMap(({ grant, ...at }) => (grant === undefined ? [] : [{ ...at, ...compile(grant) }]))
  const lastOfRoot = all.findLastIndex(({ matcher }) => matcher.path === '/')
  // Nothing before a grant on everything ever decides.
  const compiled = all.slice(Math.max(0, lastOfRoot))
  const matchers = compiled.map(({ matcher }) => matcher)
  const decidingIndex = createRuleLookup(matchers, () => true)
  const hasPatterns = matchers.some(({ path }) => path === null)
  const paths = matchers.flatMap(({ path }) => (path === null || path === '' ? [] : [path as FilePath]))
  const isUniform = matchers.length === 0

  const deciding = (path: FilePath) => (isUniform ? undefined : compiled[decidingIndex(path.normalize('NFC'))])
  return {
    /** Nothing is granted anywhere: the account's rights count everywhere. */
    isUniform,
    /** Some grant decides everywhere: the account's rights count nowhere. */
    coversAll: lastOfRoot >= 0,
    /** What some grant gives somewhere. */
    somewhere: fileRightsOf(compiled.flatMap(({ names }) => names)),
    /** What all grants give, and so wherever one of them decides; everything if there are none. */
    everywhere: fileRightsOf(FILE_RIGHTS.filter((right) => compiled.every(({ rights }) => rights[right]))),
    /** Paths that grants name, in Unicode NFC. */
    paths,
    hasPatterns,
    /** Rights at a path relative to the scope; null where no grant says anything. */
    rightsAt: (path: FilePath): FileRightSet | null => deciding(path)?.rights ?? null,
    /** The grant that decides there; null for none. */
    deciding(path: FilePath): GrantPosition | null {
      const found = deciding(path)
      return found === undefined ? null : { list: found.list, index: found.index }
    },
    /** Whether everything below has the rights of the node itself, as far as this can be known without reading the tree. */
    isSameBelow(path: FilePath): boolean {
      if (isUniform) return true
      if (hasPatterns) return false
      const composed = path.normalize('NFC')
      return !paths.some((named) => named !== composed && isWithin(named, composed as FilePath))
    },
  }
}

/** A folder before what is in it, and patterns after paths; otherwise as they are. */
export function inGrantOrder<G extends Grant>(grants: readonly G[]): G[] {
  return positionsInOrder(grants).flatMap((index) => grants[index] ?? [])
}

function positionsInOrder(grants: readonly Grant[]): number[] {
  const depth = ({ regex, path }: Grant): number =>
    regex ? Infinity : path.split('/').filter((name) => name !== '' && name !== '.').length
  const order = grants.map((grant, index) => ({ index, depth: depth(grant) }))
  order.sort((a, b) => (a.depth === b.depth ? a.index - b.index : a.depth - b.depth))
  return order.map(({ index }) => index)
}

/** Compiles a grant ahead of its use. @returns the instructions of its pattern, 0 for a path */
export function prepareGrant(grant: Grant): number {
  return compile(grant).matcher.instructions
}

interface Compiled {
  readonly matcher: Matcher
  readonly names: readonly FileRight[]
  readonly rights: FileRightSet
}

/** The same grant is compiled once: those of a group are used for all of its members. */
const known = new WeakMap<Grant, Compiled>()

function compile(grant: Grant): Compiled {
  const before = known.get(grant)
  if (before !== undefined) return before
  const { regex, path, rights } = grant
  // As a rule that denies: if its pattern is invalid, it matches everything.
  const matcher = matcherOf({ regex, allow: false, path: regex ? '' : path, regexp: regex ? { raw: path } : null })
  const names = matcher.isValid ? rights : []
  const made = { matcher, names, rights: fileRightsOf(names) }
  known.set(grant, made)
  return made
}
