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
  /** Whether it is what it was meant to be; a stored rule may hold a pattern that is none. */
  readonly isValid: boolean
  /** Instructions of the compiled pattern: what one match may cost. 0 for a path. */
  readonly instructions: number
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
  if (!rule.regex) return { allow, path: pathOf(rule) ?? '', isValid: true, instructions: 0, matches: pathMatcher(pathOf(rule)) }
  try {
    const pattern = compile(rule.regexp?.raw ?? '')
    return { allow, path: null, isValid: true, instructions: pattern.programSize(), matches: (path) => pattern.test(path) }
  } catch {
    return { allow, path: null, isValid: false, instructions: 0, matches: () => !allow }
  }
}

/** The index of the rule that decides about a path; -1 if none does. */
export function decidingRule(rules: readonly Rule[], path: string): number {
  return createRuleLookup(rules.map(matcherOf), inheritsDenial)(path.normalize('NFC'))
}

/** Cached folders with the rule that they hand down: queries are usually for neighbouring paths. */
const MOST_REMEMBERED = 1000

/** A pattern that denies a folder denies its content (A17). */
export function inheritsDenial({ allow }: Pick<Matcher, 'allow'>): boolean {
  return !allow
}

/**
 * Finds the rule that decides about a path; -1 for none. The last match decides. If it is one that is inherited, it also decides about everything
 * below, although its pattern may match the folder alone (`/secret$`), until a later rule matches a part of it.
 * @param isInherited which rules are
 * @returns a function of a path relative to the scope, in Unicode NFC
 */
export function createRuleLookup(matchers: readonly Matcher[], isInherited: (matcher: Matcher) => boolean): (path: string) => number {
  const matching = lastMatchOf(matchers)
  // A path rule matches what is below by itself.
  if (!matchers.some((matcher) => matcher.path === null && isInherited(matcher))) return matching
  const handedDown = new Map<string, number>()
  // One question about a node is often several about its path.
  let last = { path: '', index: -1 }

  /** The rule that a folder hands down; -1 for none. */
  function inheritedFrom(folder: string): number {
    const known = handedDown.get(folder)
    if (known !== undefined) return known
    const index = decidingIndex(folder)
    const matcher = matchers[index]
    const inherited = matcher !== undefined && isInherited(matcher) ? index : -1
    if (handedDown.size >= MOST_REMEMBERED) handedDown.clear()
    handedDown.set(folder, inherited)
    return inherited
  }

  function decidingIndex(path: string): number {
    if (path !== last.path) last = { path, index: path === '/' ? matching(path) : Math.max(matching(path), inheritedFrom(folderOf(path))) }
    return last.index
  }

  return decidingIndex
}

/** The last rule that matches a path by itself. Path rules are looked up, whatever their number; only patterns are tried one after the other. */
function lastMatchOf(matchers: readonly Matcher[]): (path: string) => number {
  const byPath = new Map<string, number>()
  const patterns: number[] = []
  for (const [index, { path }] of matchers.entries()) {
    if (path === null) patterns.push(index)
    else if (path !== '') byPath.set(path, index)
  }

  function lastPath(path: string): number {
    if (byPath.size === 0) return -1
    let found = byPath.get('/') ?? -1
    for (let at = path; at !== '/'; at = folderOf(at)) found = Math.max(found, byPath.get(at) ?? -1)
    return found
  }

  return (path) => {
    const found = lastPath(path)
    for (let at = patterns.length - 1; at >= 0; at--) {
      const index = patterns[at] ?? -1
      if (index < found) break
      if (matchers[index]?.matches(path) === true) return index
    }
    return found
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
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
