import { orElse } from '../../shared/errors.ts'
import type { Rule } from '../../shared/contract/users.ts'
import { type FilePath, parseFilePath } from '../../shared/file-path.ts'

/** A new rule denies by default; the API's default is to allow. */
export const NEW_RULE: Rule = Object.freeze({ regex: false, allow: false, path: '', regexp: null })

/** Value of the rule's text field. */
export function textOf(rule: Rule): string {
  return rule.regex ? (rule.regexp?.raw ?? '') : rule.path
}

export function withText(rule: Rule, text: string): Rule {
  return rule.regex ? { ...rule, regexp: { raw: text } } : { ...rule, path: text }
}

/** Switches between pattern and path, keeping the text. */
export function withKind(rule: Rule, regex: boolean): Rule {
  const text = textOf(rule)
  return regex ? { ...rule, regex, path: '', regexp: { raw: text } } : { ...rule, regex, path: text, regexp: null }
}

/** Moves a rule; out-of-range indices change nothing. */
export function moved(rules: readonly Rule[], from: number, to: number): Rule[] {
  const rule = rules[from]
  if (rule === undefined || to < 0 || to >= rules.length) return [...rules]
  return rules.toSpliced(from, 1).toSpliced(to, 0, rule)
}

/** Evaluates rules for existing paths and for those named in rules, which come first. @param decidingRule the server's rule evaluation */
export function previewRules(
  rules: readonly Rule[],
  places: readonly string[],
  decidingRule: (rules: readonly Rule[], path: string) => number,
) {
  const named = rules.flatMap((rule) => (rule.regex ? [] : (namedBy(rule) ?? [])))
  const all = [...new Set([...named, ...places])]
  const isSeen = (place: string): boolean => rules[decidingRule(rules, place)]?.allow ?? true
  return { seen: all.filter(isSeen), hidden: all.filter((place) => !isSeen(place)) }
}

/** The path of a path rule; null if blank or invalid. */
function namedBy({ path }: Rule): FilePath | null {
  return orElse(null, () => (path.trim() === '' ? null : parseFilePath(path.startsWith('/') ? path : `/${path}`)))
}
