import { RE2JS } from 're2js'
import type { Rule } from '../../shared/contract/users.ts'
import type { FilePath } from '../../shared/file-path.ts'

/** `hidden` is a dotfile of somebody who does not want to see them; `denied` is a rule's word, and the stronger of the two. */
export type Verdict = 'shown' | 'hidden' | 'denied'

/**
 * Rules made ready to be asked: global ones first, the user's own after; the last match decides (contract reference 4.1). A path rule
 * matches its node and everything below, so denying a folder denies its content; a later rule may allow a part of it again (`deny /a`,
 * `allow /a/b`), which is then reached by its own address, though `/a` and its listing stay hidden. Paths and patterns are compared in
 * Unicode's composed form, so that no other spelling of the same text escapes a rule (invariant I3).
 */
export interface RuleSet {
  /** True where no rule and no hidden name can ever deny, so that long listings need not ask. */
  readonly empty: boolean
  /** True where no rule can ever deny; hidden names still may hide. */
  readonly neverDenies: boolean
  /**
   * Every path that a rule names and that is denied: with what lies below them that is all. Null where that cannot be told without a look at
   * the tree, because a pattern may deny anything, and a path in other than plain letters any spelling of itself.
   */
  readonly deniedPaths: readonly string[] | null
  verdict(path: FilePath): Verdict
  /** Whether the verdict is `shown`. */
  allows(path: FilePath): boolean
}

export const MAX_RULE_PATH_CHARS = 4096
export const MAX_RULE_PATTERN_CHARS = 1000
/** Instructions of the compiled pattern; counted repetitions can make a long program of a short text. */
const MAX_PATTERN_PROGRAM = 5000

interface Matcher {
  readonly allow: boolean
  /** What a path rule names; empty where that can be no node, null for a pattern. */
  readonly path: string | null
  matches(path: string): boolean
}

/** @param options.hideDotfiles hides every node that has a name with a leading dot anywhere in its path */
export function compileRules(global: readonly Rule[], own: readonly Rule[], { hideDotfiles }: { hideDotfiles: boolean }): RuleSet {
  const lastFirst = [...global, ...own].map(matcherOf).reverse()
  const neverDenies = lastFirst.every(({ allow }) => allow)

  function verdict(path: FilePath): Verdict {
    if (!neverDenies) {
      const composed = path.normalize('NFC')
      if (lastFirst.find((rule) => rule.matches(composed))?.allow === false) return 'denied'
    }
    return hideDotfiles && path.includes('/.') ? 'hidden' : 'shown'
  }

  return {
    empty: neverDenies && !hideDotfiles,
    neverDenies,
    deniedPaths: pathsOf(lastFirst.filter(({ allow }) => !allow)),
    verdict,
    allows: (path) => verdict(path) === 'shown',
  }
}

function pathsOf(denying: readonly Matcher[]): string[] | null {
  const paths = denying.flatMap(({ path }) => (path === '' ? [] : [path]))
  const plain = paths.filter((path) => path !== null && /^[\x20-\x7e]*$/.test(path))
  return plain.length === paths.length ? plain.filter((path) => path !== null) : null
}

/** Why a rule cannot be saved, in English; null when it can. A path rule that is still blank can: it matches nothing. */
export function checkRule(rule: Rule): string | null {
  if (rule.regex) return patternProblem(rule.regexp?.raw ?? '')
  if (rule.path.length > MAX_RULE_PATH_CHARS) return `path: longer than ${MAX_RULE_PATH_CHARS} characters`
  return rule.path !== '' && pathOf(rule) === null ? 'path: must not hold .. or NUL' : null
}

function patternProblem(pattern: string): string | null {
  if (pattern === '') return 'regexp: empty'
  if (pattern.length > MAX_RULE_PATTERN_CHARS) return `regexp: longer than ${MAX_RULE_PATTERN_CHARS} characters`
  try {
    return compile(pattern).programSize() > MAX_PATTERN_PROGRAM ? 'regexp: too large when its repetitions are written out' : null
  } catch (error) {
    return `regexp: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** What was stored and cannot be understood fails closed: it denies everything, or allows nothing. */
function matcherOf(rule: Rule): Matcher {
  const { allow } = rule
  if (!rule.regex) return { allow, path: pathOf(rule) ?? '', matches: pathMatcher(pathOf(rule)) }
  try {
    const pattern = compile(rule.regexp?.raw ?? '')
    return { allow, path: null, matches: (path) => pattern.test(path) }
  } catch {
    return { allow, path: null, matches: () => !allow }
  }
}

function pathMatcher(path: string | null): (path: string) => boolean {
  if (path === null) return () => false
  if (path === '/') return () => true
  const below = `${path}/`
  return (candidate) => candidate === path || candidate.startsWith(below)
}

/** A rule's path in the form in which nodes have theirs, from the scope with or without its slash; null for what can be no node's. */
function pathOf({ path }: Rule): string | null {
  const segments = path.normalize('NFC').split('/')
  if (path === '' || path.includes('\0') || segments.includes('..')) return null
  return `/${segments.filter((segment) => segment !== '' && segment !== '.').join('/')}`
}

/** Go's own dialect and its promise: time linear in the path, whatever the pattern. */
function compile(pattern: string): RE2JS {
  return RE2JS.compile(pattern.normalize('NFC'))
}
