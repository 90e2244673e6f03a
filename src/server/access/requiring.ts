import type { FileRight } from '../../shared/contract/rights.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { isWithin } from '../../shared/file-path.ts'
import { type Access, rightsInScope } from './access.ts'
import type { RuleSet, Verdict } from './rules.ts'

/**
 * The same Access for somebody who acts in its owner's name (a visitor of a link, a program): what the owner has no such right to is denied to them, as
 * if a rule did so. Its `latest` is left out.
 */
export function requiringRight(owner: Access, right: FileRight): Access {
  const { latest: _, ...access } = owner
  const { rules } = access
  const { grants } = rules
  if (grants.isUniform || access.may.admin) return access
  const lacks = (path: FilePath): boolean => !rightsInScope(access, path)[right]
  const verdict = (path: FilePath): Verdict => (lacks(path) ? 'denied' : rules.verdict(path))
  const lacking = grants.paths.filter(lacks)
  // Where the account itself lacks the right, everything around the grants is denied, which no list of paths can say.
  const isListed = access.may[right] && !grants.hasPatterns && lacking.every((path) => /^[\x20-\x7e]*$/.test(path))
  const required: RuleSet = {
    ...rules,
    empty: false,
    neverDenies: false,
    deniedPaths: isListed && rules.deniedPaths !== null ? [...rules.deniedPaths, ...lacking] : null,
    verdict,
    allows: (path) => verdict(path) === 'shown',
    deniesBelow(path) {
      const composed = path.normalize('NFC') as FilePath
      return rules.deniesBelow(path) || lacking.some((named) => named !== composed && isWithin(named, composed))
    },
    shownBelow: (path) => (grants.isSameBelow(path) && !lacks(path) ? rules.shownBelow(path) : 'unknown'),
  }
  return { ...access, rules: required }
}
