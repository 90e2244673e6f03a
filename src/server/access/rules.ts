import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, isWithin } from '../../shared/file-path.ts'
import type { Grant } from '../../shared/contract/rights.ts'
import { createRuleLookup, inheritsDenial, type Matcher, matcherOf } from '../../shared/rules.ts'
import { compileGrants } from './grants.ts'

/** `hidden`: a dotfile of a user who does not want to see them. `denied`: by a rule; takes precedence over `hidden`. */
export type Verdict = 'shown' | 'hidden' | 'denied'

/** Everything; everything without a dotfile in its path; or it depends on the tree. */
export type ShownBelow = 'all' | 'without-dotfiles' | 'unknown'

/**
 * Compiled rules and grants: everybody's first, then those of each group, then the user's own; the last match decides. Rules say what is visible, grants
 * what may be done with it; neither changes what the other says. A path rule matches its node and everything below it, and so does a pattern that
 * denies: denying a folder denies its content (A17). A later rule may allow a part of it again (`deny /a`, `allow /a/b`); that part is reached by its own
 * address, while `/a` and its listing stay hidden. Paths and patterns are compared in Unicode NFC, so that another spelling of the same text cannot evade
 * a rule (invariant I3).
 */
export type RuleSet = ReturnType<typeof compileRules>

export interface RuleOptions {
  /** Hides every node with a leading dot anywhere in its path. */
  readonly hideDotfiles: boolean
  /** The rules of each group, in the order of the groups. */
  readonly groups?: readonly (readonly Rule[])[]
  /** Everybody's grants, then those of each group, then the user's own. */
  readonly grants?: readonly (readonly Grant[])[]
}

/** Which rule decides: the list (everybody's is 0, the user's own the last), and the position in it. */
export interface RulePosition {
  readonly list: number
  readonly index: number
}

export function compileRules(global: readonly Rule[], own: readonly Rule[], { hideDotfiles, groups = [], grants = [] }: RuleOptions) {
  const lists = [global, ...groups, own]
  const matchers = lists.flatMap((rules) => rules.map(compiled))
  const neverDenies = matchers.every(({ allow }) => allow)
  const decidingIndex = createRuleLookup(matchers, inheritsDenial)

  function verdict(path: FilePath): Verdict {
    if (!neverDenies) {
      const composed = path.normalize('NFC')
      if (matchers[decidingIndex(composed)]?.allow === false) return 'denied'
    }
    return hideDotfiles && path.includes('/.') ? 'hidden' : 'shown'
  }

  const empty = neverDenies && !hideDotfiles
  const allowsByPattern = matchers.some(({ allow, path }) => allow && path === null)
  const allowedPaths = matchers.flatMap(({ allow, path }) => (!allow || path === null || path === '' ? [] : [path as FilePath]))
  const namedPaths = matchers.flatMap(({ allow, path }) => (allow || path === null || path === '' ? [] : [path as FilePath]))
  const deniedPaths = pathsOf(matchers.filter(({ allow }) => !allow))
  return {
    /** No rule and no hidden name can ever deny, so long listings need not check each name. */
    empty,
    /** No rule can ever deny; dotfiles may still be hidden. */
    neverDenies,
    grants: compileGrants(grants),
    /** The rule that decides whether a path is visible; null for none. */
    deciding(path: FilePath): RulePosition | null {
      let index = decidingIndex(path.normalize('NFC'))
      if (index < 0) return null
      const list = lists.findIndex((rules) => {
        if (index < rules.length) return true
        index -= rules.length
        return false
      })
      return { list, index }
    },
    /**
     * Every path that a rule names and denies; together with everything below them, that is all that is denied. Null if this cannot be known without
     * reading the tree: a pattern may deny anything, and a path with non-ASCII letters any spelling of itself.
     */
    deniedPaths,
    verdict,
    allows: (path: FilePath): boolean => verdict(path) === 'shown',
    /** Whether a rule names a denied path below this one, existing or not. Patterns are not considered. */
    deniesBelow(path: FilePath): boolean {
      const composed = path.normalize('NFC')
      return namedPaths.some((named) => named !== composed && isWithin(named, composed as FilePath) && verdict(named) === 'denied')
    },
    /** Whether nothing below a node is shown, as far as this can be known without reading the tree: it is hidden, and no rule allows a part of it. */
    hidesBelow(path: FilePath): boolean {
      const composed = path.normalize('NFC')
      const found = verdict(path)
      if (found === 'hidden') return true
      if (found === 'shown' || allowsByPattern) return false
      return !allowedPaths.some((named) => named !== composed && isWithin(named, composed as FilePath))
    },
    /** How much of the content of a visible node is visible, as far as this can be known without reading the tree. */
    shownBelow(path: FilePath): ShownBelow {
      if (empty) return 'all'
      const composed = path.normalize('NFC') as FilePath
      // Also what is denied around it: a pattern may allow the node itself again and nothing below it.
      const meets = (denied: string): boolean => isWithin(denied as FilePath, composed) || isWithin(composed, denied as FilePath)
      if (deniedPaths === null || deniedPaths.some(meets)) return 'unknown'
      return hideDotfiles ? 'without-dotfiles' : 'all'
    },
  }
}

/** Compiles a rule ahead of its use. @returns the instructions of its pattern, 0 for a path */
export function prepareRule(rule: Rule): number {
  return compiled(rule).instructions
}

/** The same rule is compiled once: everybody's are used for all. */
const known = new WeakMap<Rule, Matcher>()

function compiled(rule: Rule): Matcher {
  const matcher = known.get(rule) ?? matcherOf(rule)
  known.set(rule, matcher)
  return matcher
}

function pathsOf(denying: readonly Matcher[]): string[] | null {
  const paths = denying.flatMap(({ path }) => (path === '' ? [] : [path]))
  const plain = paths.filter((path) => path !== null && /^[\x20-\x7e]*$/.test(path))
  return plain.length === paths.length ? plain.filter((path) => path !== null) : null
}
