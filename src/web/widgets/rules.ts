import type { Rule } from '../../shared/contract/users.ts'

/** A rule as the editor starts one (contract reference 4.1). */
export const NEW_RULE: Rule = Object.freeze({ regex: false, allow: true, path: '', regexp: null })

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
