import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'

/** A rule as the editor starts one: it denies until somebody chooses otherwise. The wire's own default is to allow. */
export const NEW_RULE: Rule = Object.freeze({ regex: false, allow: false, path: '', regexp: null })

/** What the rule's text field shows. */
export function textOf(rule: Rule): string {
  return rule.regex ? (rule.regexp?.raw ?? '') : rule.path
}

export function withText(rule: Rule, text: string): Rule {
  return rule.regex ? { ...rule, regexp: { raw: text } } : { ...rule, path: text }
}

/** The same words, taken as a pattern or as a path. */
export function withKind(rule: Rule, regex: boolean): Rule {
  const text = textOf(rule)
  return regex ? { ...rule, regex, path: '', regexp: { raw: text } } : { ...rule, regex, path: text, regexp: null }
}

/** The list with the rule at `from` moved to `to`; a place outside the list changes nothing. */
export function moved(rules: readonly Rule[], from: number, to: number): Rule[] {
  const rule = rules[from]
  if (rule === undefined || to < 0 || to >= rules.length) return [...rules]
  return rules.toSpliced(from, 1).toSpliced(to, 0, rule)
}

/** What somebody will see and will not, of the places that were looked at. */
export interface RulesPreviewResult {
  readonly seen: readonly string[]
  readonly hidden: readonly string[]
}

/**
 * What rules mean for what is there, and for the places that the rules name, which come first.
 * @param decidingRule the rule test that the server uses, too
 */
export function previewRules(
  rules: readonly Rule[],
  places: readonly string[],
  decidingRule: (rules: readonly Rule[], path: string) => number,
): RulesPreviewResult {
  const named = rules.flatMap((rule) => (rule.regex ? [] : (namedBy(rule) ?? [])))
  const all = [...new Set([...named, ...places])]
  const isSeen = (place: string): boolean => rules[decidingRule(rules, place)]?.allow ?? true
  return { seen: all.filter(isSeen), hidden: all.filter((place) => !isSeen(place)) }
}

/** The place that a path rule is about; null for one that is still blank or can be no path. */
function namedBy({ path }: Rule): FilePath | null {
  try {
    return path.trim() === '' ? null : parseFilePath(path.startsWith('/') ? path : `/${path}`)
  } catch {
    return null
  }
}
