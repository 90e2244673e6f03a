import type { Rule } from '../../shared/contract/users.ts'

/**
 * Converts rules of an export of 2.17, which compared text prefixes: a rule for `/pho` also applied to `/photos`, whereas here a rule applies to a
 * folder and its content. Each becomes the equivalent regular expression and is reported, so that nothing hidden becomes visible.
 * @param place where the rules are, for the report
 */
export function fromPrefixRules(rules: readonly Rule[], place: string): { readonly rules: Rule[]; readonly notes: readonly string[] } {
  const notes: string[] = []
  const converted = rules.map((rule) => {
    if (rule.regex || rule.path === '' || rule.path.endsWith('/')) return rule
    const raw = `^${rule.path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`
    notes.push(
      `${place}: the rule for ${JSON.stringify(rule.path)} was one for every name that begins so, such as ${JSON.stringify(`${rule.path}2`)}; ` +
        `it became the regular expression ${raw}`,
    )
    return { ...rule, regex: true, path: '', regexp: { raw } }
  })
  return { rules: converted, notes }
}
