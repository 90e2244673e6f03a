import type { Rule } from '../../shared/contract/users.ts'

/**
 * Rules of an export of 2.17, where a rule for `/pho` was also one for `/photos`: it compared the beginnings of texts, here a rule is about a folder and
 * what is in it. Each becomes the regular expression that means the same, and is reported, so that nothing that was hidden shows (S7).
 * @param place where they stand, for the report
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
