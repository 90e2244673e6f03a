import { RE2JS } from 're2js'
import type { Rule } from './contract/users.ts'

/**
 * How one rule matches a path. The server decides with it, and the test field for rules in the web application runs the same code, imported lazily
 * because the pattern engine is large.
 */
export interface Matcher {
  readonly allow: boolean
  /** The path of a path rule; empty if it can be no node, null for a pattern. */
  readonly path: string | null
  /** @param path relative to the scope, in Unicode NFC */
  matches(path: string): boolean
}

export const MAX_RULE_PATH_CHARS = 4096
export const MAX_RULE_PATTERN_CHARS = 1000
/** Instructions of the compiled pattern; counted repetitions can make a long program of a short text. */
const MAX_PATTERN_PROGRAM = 5000

/** A stored rule that is invalid fails closed: it denies everything, or allows nothing. */
export function matcherOf(rule: Rule): Matcher {
  const { allow } = rule
  if (!rule.regex) return { allow, path: pathOf(rule) ?? '', matches: pathMatcher(pathOf(rule)) }
  try {
    const pattern = compile(rule.regexp?.raw ?? '')
    return { allow, path: null, matches: (path) => pattern.test(path) }
  } catch {
    return { allow, path: null, matches: () => !allow }
  }
}

/** The index of the rule that decides about a path; -1 if none does. */
export function decidingRule(rules: readonly Rule[], path: string): number {
  return createRuleLookup(rules.map(matcherOf))(path.normalize('NFC'))
}

/** Cached folders with the rule that denies them: queries are usually for neighbouring paths. */
const MOST_REMEMBERED = 1000

/**
 * Finds the rule that decides about a path; -1 for none. The last match decides. A folder that it denies is denied with everything below it, also by
 * a pattern that matches the folder alone (`/secret$`), until a later rule allows a part of it again.
 * @returns a function of a path relative to the scope, in Unicode NFC
 */
export function createRuleLookup(matchers: readonly Matcher[]): (path: string) => number {
  const matching = (path: string): number => matchers.findLastIndex((matcher) => matcher.matches(path))
  // A path rule matches what is below by itself.
  if (!matchers.some(({ allow, path }) => !allow && path === null)) return matching
  const denials = new Map<string, number>()

  /** The rule that denies a folder; -1 if it is not denied. */
  function denialOf(folder: string): number {
    const known = denials.get(folder)
    if (known !== undefined) return known
    const index = decidingIndex(folder)
    const denial = matchers[index]?.allow === false ? index : -1
    if (denials.size >= MOST_REMEMBERED) denials.clear()
    denials.set(folder, denial)
    return denial
  }

  function decidingIndex(path: string): number {
    return path === '/' ? matching(path) : Math.max(matching(path), denialOf(path.slice(0, path.lastIndexOf('/')) || '/'))
  }

  return decidingIndex
}

/** Why a rule cannot be saved, in English; null if it can. An empty path rule can: it matches nothing. */
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

function pathMatcher(path: string | null): (path: string) => boolean {
  if (path === null) return () => false
  if (path === '/') return () => true
  const below = `${path}/`
  return (candidate) => candidate === path || candidate.startsWith(below)
}

/** A rule's path in normal form, relative to the scope, with or without leading slash; null if it can be no node. */
function pathOf({ path }: Rule): string | null {
  const segments = path.normalize('NFC').split('/')
  if (path === '' || path.includes('\0') || segments.includes('..')) return null
  return `/${segments.filter((segment) => segment !== '' && segment !== '.').join('/')}`
}

/** Go's dialect, with its guarantee: linear time in the path, whatever the pattern. */
function compile(pattern: string): RE2JS {
  return RE2JS.compile(pattern.normalize('NFC'))
}
