import { expect, it } from 'bun:test'
import type { Rule } from '../../shared/contract/users.ts'
import { compileRules } from '../access/rules.ts'
import { parseFilePath } from '../../shared/file-path.ts'
import { fromPrefixRules } from './prefix-rules.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

it('S7: a rule of 2.17 hides the same paths as there, whatever characters it contains, and is reported', () => {
  for (const path of ['/pho', '/a.b+c(d)[e]', '/ä ö/$x^', '/a-b_c', '/back\\slash'])
    for (const name of [path, `${path}tos`, `${path}/below`, `/x${path}`, '/zzz']) {
      const { rules, notes } = fromPrefixRules([deny(path)], 'ann')
      expect(notes).toHaveLength(1)
      const shown = compileRules(rules, [], { hideDotfiles: false }).allows(parseFilePath(name))
      expect([path, name, shown]).toEqual([path, name, !name.startsWith(path)])
    }
})

it('S7: other rules are unchanged', () => {
  const rules = [deny('/docs/'), { regex: true, allow: false, path: '', regexp: { raw: 'x' } }, deny('')]
  expect(fromPrefixRules(rules, 'ann')).toEqual({ rules, notes: [] })
})
